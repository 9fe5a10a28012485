#include "base/dtype.h"

#include <array>

namespace t2v {
namespace {

struct Entry {
  std::string_view name;
  int64_t size;
};

// In the order of Dtype.
constexpr std::array<Entry, 11> kEntries = {{{"BOOL", 1},
                                             {"U8", 1},
                                             {"I8", 1},
                                             {"U16", 2},
                                             {"I16", 2},
                                             {"U32", 4},
                                             {"I32", 4},
                                             {"F32", 4},
                                             {"U64", 8},
                                             {"I64", 8},
                                             {"F64", 8}}};

}  // namespace

std::string_view name_of(Dtype dtype) { return kEntries[static_cast<std::size_t>(dtype)].name; }

std::optional<Dtype> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    if (kEntries[i].name == name) return static_cast<Dtype>(i);
  }
  return std::nullopt;
}

int64_t size_of(Dtype dtype) { return kEntries[static_cast<std::size_t>(dtype)].size; }

}  // namespace t2v
