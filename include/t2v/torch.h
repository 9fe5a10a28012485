#pragma once

// Time2Vec as a module of LibTorch. Header-only: link LibTorch and time2vec.

#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "t2v/error.h"
#include "t2v/time2vec.h"

namespace t2v {
namespace torch_detail {

template <class T>
std::span<T> span_of(const torch::Tensor& tensor) {
  return {tensor.data_ptr<std::remove_const_t<T>>(), static_cast<std::size_t>(tensor.numel())};
}

/// Doubles without gaps. Throws t2v::Error unless they are on the CPU: what is moved unseen is slow unseen.
inline torch::Tensor as_double(const torch::Tensor& tensor) {
  if (!tensor.device().is_cpu()) {
    throw Error("Time2Vec computes on the CPU, not on " + tensor.device().str() +
                "; move the times there, and its result where you need it");
  }
  return tensor.to(torch::kFloat64).contiguous();
}

/// Value and slope of a layer, [times, width] each.
template <class T>
void forward(const Time2Vec& layer, torch::Tensor& value, torch::Tensor& slope, const torch::Tensor& times,
             const torch::Tensor& omega, const torch::Tensor& phi) {
  layer.forward(span_of<T>(value), span_of<T>(slope), span_of<const double>(omega),
                span_of<const double>(phi), span_of<const double>(times));
}

template <class T>
void backward(const Time2Vec& layer, torch::Tensor& domega, torch::Tensor& dphi, torch::Tensor& dtimes,
              const torch::Tensor& dvalue, const torch::Tensor& slope, const torch::Tensor& times,
              const torch::Tensor& omega) {
  layer.backward(span_of<double>(domega), span_of<double>(dphi), span_of<const T>(dvalue),
                 span_of<const T>(slope), span_of<const double>(times));
  layer.backward_times(span_of<double>(dtimes), span_of<const T>(dvalue), span_of<const T>(slope),
                       span_of<const double>(omega));
}

/// t2v of times, with gradients by times, ω and φ. All computing is in the layer.
class Function : public torch::autograd::Function<Function> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& times,
                               const torch::Tensor& omega, const torch::Tensor& phi,
                               const Time2VecConfig& config, torch::Dtype dtype) {
    const Time2Vec layer(config);
    const torch::Tensor tau = as_double(times);
    const torch::Tensor w = as_double(omega);
    const torch::Tensor p = as_double(phi);
    torch::Tensor value = torch::empty({tau.numel(), layer.width()}, dtype);
    torch::Tensor slope = torch::empty_like(value);
    if (dtype == torch::kFloat64) {
      torch_detail::forward<double>(layer, value, slope, tau, w, p);
    } else {
      torch_detail::forward<float>(layer, value, slope, tau, w, p);
    }
    context->save_for_backward({tau, w, slope});
    context->saved_data["k"] = config.k;
    context->saved_data["linear"] = config.linear;
    context->saved_data["times"] = static_cast<int64_t>(times.scalar_type());
    context->saved_data["weights"] = static_cast<int64_t>(omega.scalar_type());
    std::vector<int64_t> shape = times.sizes().vec();
    shape.push_back(layer.width());
    return value.reshape(shape);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor& tau = saved[0];
    const torch::Tensor& slope = saved[2];
    // The activation is in the slope.
    const Time2Vec layer(
        {context->saved_data["k"].toInt(), Activation::kSin, context->saved_data["linear"].toBool()});
    const torch::Tensor dvalue = gradients[0].to(slope.scalar_type()).contiguous();
    torch::Tensor domega = torch::zeros({layer.width()}, torch::kFloat64);
    torch::Tensor dphi = torch::zeros_like(domega);
    torch::Tensor dtimes = torch::zeros_like(tau);
    if (slope.scalar_type() == torch::kFloat64) {
      torch_detail::backward<double>(layer, domega, dphi, dtimes, dvalue, slope, tau, saved[1]);
    } else {
      torch_detail::backward<float>(layer, domega, dphi, dtimes, dvalue, slope, tau, saved[1]);
    }
    const auto kind = [&](const char* of) {
      return static_cast<torch::ScalarType>(context->saved_data[of].toInt());
    };
    const torch::Tensor none;
    return {dtimes.to(kind("times")), domega.to(kind("weights")), dphi.to(kind("weights")), none, none};
  }
};

}  // namespace torch_detail

/// What the module is made of.
struct TorchTime2VecOptions {
  Time2VecConfig layer = {};
  FrequencyStart start = FrequencyStart::kU11;
  std::uint64_t seed = 1;
  std::vector<double> times = {};        // some of those it will see, for FrequencyStart::kSpan
  torch::Dtype dtype = torch::kFloat32;  // of the vectors: kFloat32 or kFloat64
};

/// t2v(τ) with ω and φ as parameters, in float64 so that phases stay exact. Times of any shape [...] become
/// vectors [..., width]; give them as float64, since float32 has already lost what is finer than 128 s in
/// unix seconds. Computes on the CPU. to(dtype), also of a module that holds it, changes the dtype of the
/// vectors alone. Throws t2v::Error for tensors that are elsewhere, and for times and frequencies outside of
/// the range of exact phases (t2v/time2vec.h). Gradients of times, ω and φ are exact; second derivatives are
/// not offered.
///
///   auto net = torch::nn::Sequential(t2v::TorchTime2Vec(t2v::TorchTime2VecOptions{}),
///                                    torch::nn::Linear(65, 1));
class TorchTime2VecImpl : public torch::nn::Cloneable<TorchTime2VecImpl> {
 public:
  explicit TorchTime2VecImpl(const TorchTime2VecOptions& options = {})
      : options_(options), dtype_(options.dtype) {
    TorchTime2VecImpl::reset();
  }

  /// Frequencies and phases as they start.
  void reset() override {
    const Time2Vec layer(options_.layer);
    torch::Tensor first = torch::zeros({layer.width()}, torch::kFloat64);
    torch::Tensor second = torch::zeros_like(first);
    layer.start(torch_detail::span_of<double>(first), torch_detail::span_of<double>(second), options_.start,
                options_.seed, options_.times);
    omega = register_parameter("omega", first);
    phi = register_parameter("phi", second);
  }

  torch::Tensor forward(const torch::Tensor& times) {
    if (dtype_ != torch::kFloat32 && dtype_ != torch::kFloat64) {
      throw Error(std::string("Time2Vec gives float32 or float64, not ") + c10::toString(dtype_) +
                  "; convert its result");
    }
    return torch_detail::Function::apply(times, omega, phi, options_.layer, dtype_);
  }

  // The dtype of the module is that of its vectors: ω and φ keep their digits.
  void to(torch::Device device, torch::Dtype dtype, bool non_blocking = false) override {
    dtype_ = dtype;
    to(device, non_blocking);
  }
  void to(torch::Dtype dtype, bool /*non_blocking*/ = false) override { dtype_ = dtype; }
  void to(torch::Device device, bool non_blocking = false) override {
    torch::nn::Module::to(device, non_blocking);
  }
  /// Of the vectors.
  torch::Dtype dtype() const { return dtype_; }

  std::int64_t width() const { return omega.size(0); }

  torch::Tensor omega;  // [width], the linear term first if there is one
  torch::Tensor phi;    // [width]

 private:
  TorchTime2VecOptions options_;
  torch::Dtype dtype_;
};
TORCH_MODULE(TorchTime2Vec);

}  // namespace t2v
