#include "nn/frequency.h"

#include <cmath>
#include <numbers>

namespace t2v::nn {

Folded fold(double omega, double phi, double weight, double grid) {
  using std::numbers::pi;
  if (grid > 0) omega = std::remainder(omega, 2 * pi / grid);
  if (omega < 0) {
    omega = -omega;
    phi = pi - phi;
  }
  if (weight < 0) phi += pi;
  return {omega, std::remainder(phi, 2 * pi)};
}

}  // namespace t2v::nn
