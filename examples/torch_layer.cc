// The layer in a network of LibTorch: is a day a multiple of 7?
#include <t2v/torch.h>

#include <cstdio>
#include <vector>

int main() {
  t2v::TorchTime2VecOptions options;
  options.layer.k = 64;
  options.start = t2v::FrequencyStart::kSpan;
  for (int day = 1; day <= 273; ++day) options.times.push_back(day);
  t2v::TorchTime2Vec layer(options);
  torch::nn::Linear last(layer->width(), 1);
  const torch::Tensor times = torch::tensor(options.times, torch::kFloat64);
  const torch::Tensor seventh = torch::eq(torch::remainder(times, 7), 0).to(torch::kFloat32);
  // A step of a frequency acts times the time, so it is a smaller one.
  torch::optim::Adam frequencies(std::vector<torch::Tensor>{layer->omega}, 0.0002);
  torch::optim::Adam others(std::vector<torch::Tensor>{layer->phi, last->weight, last->bias}, 0.02);
  double loss_now = 0;
  for (int step = 0; step < 1000; ++step) {
    frequencies.zero_grad();
    others.zero_grad();
    const torch::Tensor logits = last->forward(layer->forward(times)).squeeze(1);
    const torch::Tensor loss = torch::binary_cross_entropy_with_logits(logits, seventh);
    loss.backward();
    frequencies.step();
    others.step();
    loss_now = loss.item<double>();
  }
  std::printf("loss %.3f; without knowing the day it is 0.410\n", loss_now);
  return 0;
}
