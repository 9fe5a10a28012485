#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/event_table.h"

namespace t2v::data {

/// Two IDX files, plain or compressed by gzip.
struct MnistFiles {
  std::string images;
  std::string labels;
  std::optional<Part> part = {};
};

struct MnistOptions {
  /// A pixel is an event if its intensity is above this share of full scale (0.9: bytes 230 to 255).
  double threshold = 0.9;
  /// The first event of each image is at 0; otherwise times are positions in the image.
  bool shift = true;
};

/// Event-MNIST: an image is a sequence; its events are the positions (row by row, from 0) of bright pixels,
/// in order, of no type; its class is its label. An image without a bright pixel has one event at 0. Throws
/// t2v::Error for files that are not whole or do not belong together.
EventTable import_mnist(const std::vector<MnistFiles>& files, const MnistOptions& options);
EventTable import_mnist(const std::string& images_path, const std::string& labels_path,
                        const MnistOptions& options);

}  // namespace t2v::data
