#pragma once

#include <string_view>
#include <vector>

namespace t2v::paper {

/// A curve of a figure of the paper, read off at some epochs.
struct PublishedCurve {
  std::string_view data;     // event-mnist, spikes, stackoverflow
  std::string_view measure;  // accuracy, recall@3
  std::string_view figure;   // such as 1a
  std::string_view model;    // such as LSTM+T
  std::vector<double> epochs;
  std::vector<double> values;
};

/// All that is known. The paper prints figures, not numbers: these were read off them, within about ±0.001
/// (Last.FM, Stack Overflow), ±0.002 (CiteULike, Fig. 5), ±0.003 (N-TIDIGITS18), ±0.005 (Event-MNIST,
/// Fig. 1a).
const std::vector<PublishedCurve>& published_curves();

/// The curve of a figure and a model. Throws t2v::Error if there is none.
const PublishedCurve& published_curve(std::string_view figure, std::string_view model);

}  // namespace t2v::paper
