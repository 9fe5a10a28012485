#pragma once

#include <string>

namespace t2v::data {

/// Throws t2v::Error if a file, perhaps compressed, is known by its first bytes not to be a table: says what
/// it is and what to do. What is not a regular file is let through, since what is read of a pipe is gone.
void refuse_other_kinds(const std::string& path);

}  // namespace t2v::data
