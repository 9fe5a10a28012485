#pragma once

namespace t2v::nn {

/// A sinusoid as it can be told apart on a grid of times.
struct Folded {
  double omega;  // in [0, π/grid]
  double phi;    // in (-π, π]
};

/// weight * sin(ωτ + φ) for times τ that are multiples of `grid` is the same for ω ± 2π/grid, for -ω with π -
/// φ, and for -weight with φ + π. This gives the one with ω in [0, π/grid] and a positive weight. With grid =
/// 0 (no grid known) only the signs are folded.
Folded fold(double omega, double phi, double weight, double grid);

}  // namespace t2v::nn
