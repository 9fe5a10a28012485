#pragma once

#include <cstdint>
#include <span>

namespace t2v::bench {

/// The exclusive or of all words: what reads them as fast as the machine can load.
uint32_t xor_of(std::span<const uint32_t> words);

}  // namespace t2v::bench
