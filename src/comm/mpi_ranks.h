#pragma once

#include <memory>

#include "comm/communicator.h"
#include "comm/deadline.h"

namespace t2v::comm {

/// The ranks that OpenMPI's mpirun, or another launcher that OpenMPI knows, started together with this
/// process; nothing if it was started by itself. A rank gives a sign of life some times within `timeout`
/// seconds, whatever it is at; one that gives none is lost. Throws t2v::Error if MPI cannot be used, and for
/// a launcher that it does not know. `give_up` is called where a call of MPI does not return within the time.
std::unique_ptr<Communicator> mpi_ranks(double timeout, const GiveUp& give_up);

/// How many processes mpirun started together with this one, with it; 1 if it was started by itself.
int started_together();
/// The number of this process among those that were started together, by what the launcher says; 0 if it was
/// started by itself.
int rank_by_launcher();
/// How many of them are on this machine; 1 if it was started by itself.
int ranks_on_this_machine();

}  // namespace t2v::comm
