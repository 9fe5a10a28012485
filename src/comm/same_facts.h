#pragma once

#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"

namespace t2v::comm {

/// What must be the same on all ranks, by name, for people; those first that others follow from.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Throws t2v::Error on all ranks if one has another value of a fact than rank 0, and names it. To be called
/// by all of them.
void check_same(Communicator& ranks, const Facts& facts);

}  // namespace t2v::comm
