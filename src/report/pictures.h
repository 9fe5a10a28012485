#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/results.h"

namespace t2v::report {

struct Picture {
  std::string name;  // the id of the figure
  std::vector<std::byte> png;
};

/// The charts of a page as PNG, drawn by Chromium in a process of its own, which is ended when it takes too
/// long. Throws t2v::Error that says what to install if there is none on the path.
std::vector<Picture> pictures_of(FileSystem& files, const std::string& page, std::size_t charts);

/// The bytes of base64 with padding. Throws t2v::Error for anything else.
std::vector<std::byte> from_base64(std::string_view text);

}  // namespace t2v::report
