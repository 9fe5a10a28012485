#pragma once

#include <array>
#include <string>

#include "train/train_config.h"

// What the experiments with an LSTM and four kinds of time have in common.
namespace t2v::paper {

/// The kinds of time that are compared, as TrainConfig writes them.
inline constexpr std::array<const char*, 4> kLstmTimes = {"raw", "t2v:64", "t2v:32", "t2v:16"};

/// lstm-t or lstm-t2v-k, and a variant of the data.
std::string lstm_model(const std::string& time, const std::string& variant);

/// How far each model really gets: frequencies that start from the span of the data, the time and the gap, a
/// rate that falls, and the weights that are best on data held out.
TrainConfig best_lstm_training();

}  // namespace t2v::paper
