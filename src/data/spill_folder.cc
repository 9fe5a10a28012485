#include "data/spill_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/fail.h"

namespace t2v::data {

SpillFolder::SpillFolder() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) fail("there is no folder for temporary files ({}); name one with TMPDIR", error.message());
  path_ = (place / "t2v-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) {
    fail("{}: no temporary folder can be made there ({}); name another place with TMPDIR", place.string(),
         std::generic_category().message(errno));
  }
}

SpillFolder::~SpillFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace t2v::data
