#pragma once

#include <cstdint>
#include <string>

namespace t2v {

/// A library that is loaded when it is needed and stays until the program ends.
class SharedLibrary {
 public:
  enum class Symbols : uint8_t { kOwn, kForAll };  // who else in the process sees them

  /// file: as the loader looks for it. Throws t2v::Error: what it is for, the file, and the advice.
  SharedLibrary(std::string file, Symbols symbols, const std::string& what_for, std::string advice);

  /// The address of a name. Throws t2v::Error if the library has none.
  void* symbol(const char* name) const;
  template <class Function>
  void load(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(symbol(name));
  }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::string advice_;
  void* handle_;
};

}  // namespace t2v
