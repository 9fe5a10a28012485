#pragma once

#include <string>
#include <vector>

namespace t2v::cli {

/// Throws t2v::Error if a file that is written is one that is read, by whatever name, or is written twice.
/// Empty names are those of options that were not given; "-" is standard input or output. What is no file,
/// such as a pipe, may be the same. To be called before anything is written.
void refuse_to_overwrite(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

}  // namespace t2v::cli
