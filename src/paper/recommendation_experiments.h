#pragma once

#include "paper/experiment.h"

namespace t2v::paper {

// The paper's recommendations as experiments of the one table.

Experiment lastfm();         // Fig. 1d
Experiment citeulike();      // Fig. 1e
Experiment timelstm();       // Fig. 2
Experiment linear_tlstm3();  // Fig. 5d

}  // namespace t2v::paper
