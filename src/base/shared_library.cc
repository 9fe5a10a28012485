#include "base/shared_library.h"

#include <dlfcn.h>

#include "base/fail.h"

namespace t2v {

SharedLibrary::SharedLibrary(std::string file, Symbols symbols, const std::string& what_for,
                             std::string advice)
    : file_(std::move(file)),
      advice_(std::move(advice)),
      handle_(dlopen(file_.c_str(), RTLD_NOW | (symbols == Symbols::kForAll ? RTLD_GLOBAL : RTLD_LOCAL))) {
  if (handle_ == nullptr) fail("{} {}, which cannot be loaded; {}", what_for, file_, advice_);
}

void* SharedLibrary::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) fail("{} has no {}; {}", file_, name, advice_);
  return found;
}

}  // namespace t2v
