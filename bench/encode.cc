// Speed of the Time2Vec layer alone: phases a second on one core, beside the rate at which the same memory
// can be copied.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "base/random.h"
#include "kernels/target.h"
#include "kernels/time2vec.h"
#include "measure.h"

int main() {
  constexpr int64_t kTimes = 1 << 20;
  constexpr int64_t kTerms = 65;
  t2v::Random random(1);
  std::vector<double> tau(kTimes);
  for (double& t : tau) t = 1.7e9 + 1e6 * random.uniform();
  std::vector<double> omega(kTerms);
  std::vector<double> phi(kTerms);
  for (double& w : omega) w = random.uniform(-1, 1);
  for (double& p : phi) p = random.uniform(-1, 1);
  std::vector<float> out(kTimes * kTerms);
  std::vector<float> slope(kTimes * kTerms);
  const t2v::kernels::Terms<double> terms{t2v::kernels::Activation::kSin, true, kTerms, omega.data(),
                                          phi.data()};
  const auto times = t2v::bench::interleaved(
      5, {[&] { t2v::kernels::time2vec_forward(out.data(), nullptr, kTerms, terms, tau); },
          [&] { t2v::kernels::time2vec_forward(out.data(), slope.data(), kTerms, terms, tau); },
          [&] { std::memcpy(slope.data(), out.data(), out.size() * sizeof(float)); }});
  const auto phases = static_cast<double>(kTimes * kTerms);
  fmt::print("t2v of {} unix times, k = {}, {}, one core\n", kTimes, kTerms - 1,
             t2v::kernels::active_target());
  fmt::print("values            {:6.3f} e9 phases/s, {:.2f} of the copy's write rate\n",
             phases / times[0] * 1e-9, times[2] / times[0]);
  fmt::print("values and slopes {:6.3f} e9 phases/s\n", phases / times[1] * 1e-9);
}
