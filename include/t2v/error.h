#pragma once

#include <stdexcept>

#include "t2v/export.h"

namespace t2v {

/// The one exception of this library: something from outside (a file, a row, an option, a time) cannot be
/// used. what() says what is wrong, where, which value was seen and what to do about it.
class T2V_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace t2v
