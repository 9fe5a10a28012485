#include "t2v/torch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <vector>

namespace t2v {
namespace {

TorchTime2VecOptions options_of(Activation activation, torch::Dtype dtype) {
  TorchTime2VecOptions options;
  options.layer = {4, activation, true};
  options.dtype = dtype;
  return options;
}

/// Compares the gradient of a scalar function of a tensor with differences.
void expect_gradient(torch::Tensor& x, const std::function<torch::Tensor()>& loss) {
  if (x.grad().defined()) x.mutable_grad().zero_();
  loss().backward();
  const torch::Tensor gradient = x.grad().clone();
  torch::NoGradGuard guard;
  constexpr double kStep = 1e-6;
  for (int64_t i = 0; i < x.numel(); ++i) {
    double& entry = x.data_ptr<double>()[i];
    const double before = entry;
    entry = before + kStep;
    const double up = loss().item<double>();
    entry = before - kStep;
    const double down = loss().item<double>();
    entry = before;
    EXPECT_NEAR(gradient.data_ptr<double>()[i], (up - down) / (2 * kStep), 1e-7) << i;
  }
}

TEST(LibTorch, GradientsInDoubleAreThoseOfDifferences) {
  for (const Activation activation :
       {Activation::kSin, Activation::kCos, Activation::kTriangle, Activation::kSigmoid, Activation::kTanh}) {
    TorchTime2Vec layer(options_of(activation, torch::kFloat64));
    torch::Tensor times = torch::tensor({-1.3, 0.2, 0.9, 2.4, 7.7, 3.1}, torch::kFloat64).reshape({2, 3});
    times.requires_grad_();
    const torch::Tensor weights = torch::arange(30, torch::kFloat64).cos().reshape({2, 3, 5});
    const auto loss = [&] { return (layer->forward(times) * weights).sum(); };
    expect_gradient(layer->omega, loss);
    expect_gradient(layer->phi, loss);
    expect_gradient(times, loss);
  }
}

TEST(LibTorch, FloatVectorsAreTheDoublesRoundedAndExactFarFromZero) {
  TorchTime2Vec narrow(options_of(Activation::kSin, torch::kFloat32));
  TorchTime2Vec wide(options_of(Activation::kSin, torch::kFloat64));
  const torch::Tensor times = torch::tensor({1.7e9, 1.7e9 + 1, -3.0}, torch::kFloat64);
  const torch::Tensor vectors = narrow->forward(times);
  EXPECT_EQ(vectors.scalar_type(), torch::kFloat32);
  EXPECT_EQ(vectors.sizes(), (std::vector<int64_t>{3, 5}));
  const torch::Tensor doubles = wide->forward(times);
  const torch::Tensor difference = (vectors - doubles).abs() / doubles.abs().clamp_min(1);
  EXPECT_LT(difference.max().item<double>(), 1e-6);
  const double w = wide->omega[1].item<double>();
  const double p = wide->phi[1].item<double>();
  const double rest = std::fma(w, 1.7e9, -(w * 1.7e9)) + p;
  EXPECT_NEAR(doubles[0][1].item<double>(),
              std::sin(w * 1.7e9) * std::cos(rest) + std::cos(w * 1.7e9) * std::sin(rest), 1e-9);
}

TEST(LibTorch, LearnsTheWeekInsideAnotherModelByItsOptimizer) {
  TorchTime2VecOptions options;
  options.layer.k = 32;
  options.start = FrequencyStart::kSpan;
  for (int day = 1; day <= 273; ++day) options.times.push_back(day);
  TorchTime2Vec layer(options);
  torch::nn::Linear last(layer->width(), 1);
  torch::nn::init::zeros_(last->weight);
  torch::nn::init::zeros_(last->bias);
  const torch::Tensor times = torch::tensor(options.times, torch::kFloat64);
  const torch::Tensor seventh = torch::eq(torch::remainder(times, 7), 0).to(torch::kFloat32);
  torch::optim::Adam slow(std::vector<torch::Tensor>{layer->omega}, 0.002);
  torch::optim::Adam fast(std::vector<torch::Tensor>{layer->phi, last->weight, last->bias}, 0.02);
  double loss_now = 0;
  for (int step = 0; step < 500; ++step) {
    slow.zero_grad();
    fast.zero_grad();
    const torch::Tensor logits = last->forward(layer->forward(times)).squeeze(1);
    torch::Tensor loss = torch::binary_cross_entropy_with_logits(logits, seventh);
    loss.backward();
    slow.step();
    fast.step();
    loss_now = loss.item<double>();
  }
  EXPECT_LT(loss_now, 0.2);  // that of one day in seven, without knowing which, is 0.41
}

TEST(LibTorch, KeepsTheDigitsOfFrequenciesWhateverItIsConvertedTo) {
  TorchTime2Vec layer(options_of(Activation::kSin, torch::kFloat64));
  const torch::Tensor before = layer->omega.detach().clone();
  torch::nn::Sequential net(layer, torch::nn::Linear(5, 1));
  net->to(torch::kFloat32);
  EXPECT_TRUE(torch::equal(layer->omega, before));
  EXPECT_EQ(net->forward(torch::ones({2}, torch::kFloat64)).scalar_type(), torch::kFloat32);
  net->to(torch::kCPU, torch::kFloat64);
  EXPECT_TRUE(torch::equal(layer->omega, before));
  EXPECT_EQ(layer->forward(torch::ones({2}, torch::kFloat64)).scalar_type(), torch::kFloat64);
  layer->to(torch::kFloat16);
  EXPECT_THROW(layer->forward(torch::ones({2}, torch::kFloat64)), Error);
}

TEST(LibTorch, ACopyHasParametersOfItsOwn) {
  TorchTime2Vec layer(options_of(Activation::kCos, torch::kFloat64));
  const torch::Tensor times = torch::tensor({0.5, 3.0}, torch::kFloat64);
  const torch::Tensor before = layer->forward(times).detach().clone();
  const auto copy = std::dynamic_pointer_cast<TorchTime2VecImpl>(layer->clone());
  ASSERT_NE(copy, nullptr);
  {
    torch::NoGradGuard guard;
    layer->omega += 1;
  }
  EXPECT_TRUE(torch::equal(copy->forward(times), before));
  EXPECT_FALSE(torch::equal(layer->forward(times), before));
}

TEST(LibTorch, RefusesTensorsThatAreNotOnTheCpu) {
  TorchTime2Vec layer(options_of(Activation::kSin, torch::kFloat32));
  EXPECT_THROW(layer->forward(torch::ones({2}, torch::device(torch::kMeta).dtype(torch::kFloat64))), Error);
}

TEST(LibTorch, SavesAndLoadsItsParameters) {
  TorchTime2VecOptions options = options_of(Activation::kSin, torch::kFloat32);
  TorchTime2Vec layer(options);
  std::stringstream file;
  torch::save(layer, file);
  options.seed = 2;
  TorchTime2Vec other(options);
  EXPECT_FALSE(torch::equal(other->omega, layer->omega));
  torch::load(other, file);
  EXPECT_TRUE(torch::equal(other->omega, layer->omega));
  EXPECT_TRUE(torch::equal(other->phi, layer->phi));
}

TEST(LibTorch, RefusesTimesThatAreNotExact) {
  TorchTime2Vec layer(options_of(Activation::kSin, torch::kFloat32));
  EXPECT_THROW(layer->forward(torch::tensor({1e14}, torch::kFloat64)), Error);
  EXPECT_THROW(layer->forward(torch::tensor({NAN}, torch::kFloat64)), Error);
}

TEST(LibTorch, GivesFloatTimesFloatGradients) {
  TorchTime2Vec layer(options_of(Activation::kSin, torch::kFloat32));
  torch::Tensor times = torch::tensor({0.5F, 2.0F}, torch::requires_grad());
  layer->forward(times).sum().backward();
  EXPECT_EQ(times.grad().scalar_type(), torch::kFloat32);
  EXPECT_EQ(layer->omega.grad().scalar_type(), torch::kFloat64);
}

}  // namespace
}  // namespace t2v
