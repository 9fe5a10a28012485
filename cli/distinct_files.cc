#include "distinct_files.h"

#include <filesystem>
#include <system_error>

#include "base/fail.h"

namespace t2v::cli {
namespace {

namespace fs = std::filesystem;

/// A file under the name that was given.
struct Named {
  std::string name;
  fs::path path;
};

std::vector<Named> named(const std::vector<std::string>& names, const char* standard, const char* device) {
  std::vector<Named> all;
  for (const std::string& name : names) {
    if (name == "-") {
      all.push_back({standard, device});
    } else if (!name.empty()) {
      all.push_back({name, name});
    }
  }
  return all;
}

/// Where a file would be made: links are followed also if they lead to none yet.
fs::path place_of(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error) && !fs::exists(path, error); ++i) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  path = fs::absolute(path, error);
  const fs::path place = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : place;
}

bool are_same(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  if (!fs::exists(a, ignored) || !fs::exists(b, ignored)) return place_of(a) == place_of(b);
  return fs::is_regular_file(a, ignored) && fs::equivalent(a, b, ignored);
}

/// ", as it is y.csv": nothing where that is the name itself.
std::string other_name(const Named& file, const Named& other) {
  return file.name == other.name ? "" : fmt::format(", as it is {}", other.name);
}

}  // namespace

void refuse_to_overwrite(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  const std::vector<Named> read = named(inputs, "standard input", "/dev/stdin");
  const std::vector<Named> written = named(outputs, "standard output", "/dev/stdout");
  for (auto output = written.begin(); output != written.end(); ++output) {
    for (const Named& input : read) {
      if (!are_same(input.path, output->path)) continue;
      fail("{}: would be written over itself{}; name another output", output->name,
           other_name(*output, input));
    }
    for (auto other = written.begin(); other != output; ++other) {
      if (!are_same(other->path, output->path)) continue;
      fail("{}: would be written twice{}; name two files", output->name, other_name(*output, *other));
    }
  }
}

}  // namespace t2v::cli
