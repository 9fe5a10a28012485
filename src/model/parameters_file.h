#pragma once

#include <string>

#include "base/container.h"
#include "base/container_writer.h"
#include "nn/parameters.h"

namespace t2v {

/// Adds every tensor of a layout as "<prefix><name>": floats, those about time as doubles. The parameters
/// must stay until the file is written.
void add_parameters(ContainerWriter& writer, const std::string& prefix, const nn::Layout& layout,
                    const nn::Parameters<float>& parameters);

/// Reads them back. Throws t2v::Error if one is not there, has another shape or type, or a number in it is
/// not finite. Nothing is allocated before all shapes are right.
nn::Parameters<float> read_parameters(const Container& file, const std::string& prefix,
                                      const nn::Layout& layout);

}  // namespace t2v
