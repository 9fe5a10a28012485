#include "comm/mpi_library.h"

#include "base/shared_library.h"

namespace t2v::comm {
namespace {

Mpi loaded() {
  // Its plugins look for the symbols of the library among those of the whole process.
  const SharedLibrary library("libmpi.so.40", SharedLibrary::Symbols::kForAll,
                              "work on several ranks needs OpenMPI's",
                              "install OpenMPI 4 or 5 (Debian: openmpi-bin) on every machine, or start t2v "
                              "without mpirun");
  Mpi m{};
  library.load(m.init_thread, "MPI_Init_thread");
  library.load(m.finalize, "MPI_Finalize");
  library.load(m.abort, "MPI_Abort");
  library.load(m.comm_rank, "MPI_Comm_rank");
  library.load(m.comm_size, "MPI_Comm_size");
  library.load(m.comm_set_errhandler, "MPI_Comm_set_errhandler");
  library.load(m.error_string, "MPI_Error_string");
  library.load(m.isend, "MPI_Isend");
  library.load(m.improbe, "MPI_Improbe");
  library.load(m.imrecv, "MPI_Imrecv");
  library.load(m.mrecv, "MPI_Mrecv");
  library.load(m.get_count, "MPI_Get_count");
  library.load(m.test, "MPI_Test");
  library.load(m.iallreduce, "MPI_Iallreduce");
  m.world = library.symbol("ompi_mpi_comm_world");
  m.byte = library.symbol("ompi_mpi_byte");
  m.float32 = library.symbol("ompi_mpi_float");
  m.sum = library.symbol("ompi_mpi_op_sum");
  m.errors_return = library.symbol("ompi_mpi_errors_return");
  return m;
}

}  // namespace

const Mpi& mpi() {
  static const Mpi library = loaded();
  return library;
}

}  // namespace t2v::comm
