#pragma once

#include "t2v/error.h"

namespace t2v {

/// Training came to nothing: steps were not finite, several in a row.
class Diverged : public Error {
 public:
  using Error::Error;
};

}  // namespace t2v
