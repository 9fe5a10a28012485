#include "nn/head.h"

#include <string>

#include "base/fail.h"

namespace t2v::nn {
namespace {

template <class T>
Wide<T> softmax(T* dlogits, const T* logits, int64_t outputs, int64_t label, T scale) {
  return kernels::softmax_loss(dlogits, logits, outputs, label, scale);
}

template <class T>
Wide<T> logistic(T* dlogits, const T* logits, int64_t /*outputs*/, int64_t label, T scale) {
  return kernels::logistic_loss(dlogits, logits[0], label, scale);
}

void two_probabilities(float* probabilities, const float* logits, int64_t /*classes*/) {
  const float one = kernels::sigmoid(logits[0]);
  probabilities[0] = kernels::sigmoid(-logits[0]);
  probabilities[1] = one;
}

constexpr Head kHeads[] = {
    {"softmax",
     [](int64_t classes) { return classes; },
     kernels::softmax<float>,
     {softmax<float>},
     {softmax<double>},
     {softmax<Complex>}},
    {"logistic",
     [](int64_t /*classes*/) { return int64_t{1}; },
     two_probabilities,
     {logistic<float>},
     {logistic<double>},
     {logistic<Complex>}},
};

}  // namespace

std::span<const Head> heads() { return kHeads; }

const Head& head_from(std::string_view name) {
  std::string all;
  for (const Head& head : kHeads) {
    if (head.name == name) return head;
    all += (all.empty() ? "" : ", ") + std::string(head.name);
  }
  fail("unknown head '{}'; use one of {}", name, all);
}

}  // namespace t2v::nn
