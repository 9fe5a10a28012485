#pragma once

#include <string>

#include "comm/same_facts.h"
#include "data/events.h"
#include "nn/parameters.h"

namespace t2v {

std::string digest_of(const nn::Parameters<float>& parameters);

/// The version, the arithmetic and the data, which must be the same on all ranks.
comm::Facts facts_of(const data::Events& events);

}  // namespace t2v
