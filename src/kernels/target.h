#pragma once

#include <string>
#include <vector>

namespace t2v::kernels {

/// The name of the instruction set that the kernels run on: "avx512", "avx2", "sse4", "ssse3" or "scalar".
/// The best one of the machine, unless the environment variable T2V_TARGET names another.
std::string active_target();

/// The names of all instruction sets that this machine has, best first.
std::vector<std::string> machine_targets();

/// Makes the choice, once; oneDNN is held to the same set. Throws t2v::Error if T2V_TARGET names an unknown
/// set or one that the machine lacks. Every kernel calls it first.
void choose_target();

}  // namespace t2v::kernels

/// The best compiled version of a Highway function for the chosen instruction set.
#define T2V_DISPATCH(function) (::t2v::kernels::choose_target(), HWY_DYNAMIC_DISPATCH(function))
