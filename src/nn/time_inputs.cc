#include "nn/time_inputs.h"

#include <algorithm>

#include "base/fail.h"

namespace t2v::nn {
namespace {

/// Sharing pays when a gather of the product is cheaper than the product: few distinct values.
bool worth_sharing(std::size_t distinct, std::size_t all) { return distinct * 4 <= all * 3; }

}  // namespace

TimeInputs::TimeInputs(Layout& layout, const std::vector<TimeEncoderConfig>& configs,
                       std::string_view prefix) {
  for (std::size_t i = 0; i < configs.size(); ++i) {
    encoders_.emplace_back(layout, fmt::format("{}{}", prefix, i), configs[i]);
  }
}

template <class T>
void TimeInputs::forward(State<T>& state, const SequenceBatch& batch, std::span<const int32_t> source,
                         const Layout& layout, const Parameters<T>& parameters) const {
  state.resize(encoders_.size());
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    Encoded<T>& time = state[i];
    const std::span<const double> all = batch.times[static_cast<std::size_t>(encoders_[i].config().input)];
    time.tau.resize(source.size());
    for (std::size_t e = 0; e < source.size(); ++e) time.tau[e] = all[static_cast<std::size_t>(source[e])];
    time.distinct.find(time.tau);
    const std::span<const double> distinct = time.distinct.values();
    time.shared = worth_sharing(distinct.size(), source.size());
    if (time.shared) time.tau.assign(distinct.begin(), distinct.end());
    time.value.reserve(time.rows() * encoders_[i].width());
    time.slope.reserve(time.rows() * encoders_[i].width());
    encoders_[i].forward(time.value.data(), time.slope.data(), layout, parameters, time.tau);
  }
}

template <class T>
void TimeInputs::start_backward(State<T>& state) const {
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    if (encoders_[i].learned()) state[i].dvalue.assign_zeros(state[i].rows() * encoders_[i].width());
  }
}

template <class T>
void TimeInputs::backward(Parameters<T>& gradient, State<T>& state, const Layout& layout) const {
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    encoders_[i].backward(layout, gradient, state[i].dvalue.data(), state[i].slope.data(), state[i].tau);
  }
}

#define T2V_INSTANTIATE(T)                                                                        \
  template void TimeInputs::forward<T>(State<T>&, const SequenceBatch&, std::span<const int32_t>, \
                                       const Layout&, const Parameters<T>&) const;                \
  template void TimeInputs::start_backward<T>(State<T>&) const;                                   \
  template void TimeInputs::backward<T>(Parameters<T>&, State<T>&, const Layout&) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
