#include "comm/mpi_library.h"

#include <dlfcn.h>

#include "base/fail.h"

namespace t2v::comm {
namespace {

constexpr const char* kLibrary = "libmpi.so.40";

void* symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) fail("{} has no {}; it must be that of OpenMPI 4 or 5", kLibrary, name);
  return found;
}

template <class Function>
void load(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(symbol(library, name));
}

Mpi loaded() {
  // Its plugins look for the symbols of the library among those of the whole process.
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    fail(
        "work on several ranks needs OpenMPI's {}, which cannot be loaded; install it (Debian: openmpi-bin) "
        "on "
        "every machine, or start t2v without mpirun",
        kLibrary);
  }
  Mpi m{};
  load(m.init_thread, library, "MPI_Init_thread");
  load(m.finalize, library, "MPI_Finalize");
  load(m.abort, library, "MPI_Abort");
  load(m.comm_rank, library, "MPI_Comm_rank");
  load(m.comm_size, library, "MPI_Comm_size");
  load(m.comm_set_errhandler, library, "MPI_Comm_set_errhandler");
  load(m.error_string, library, "MPI_Error_string");
  load(m.isend, library, "MPI_Isend");
  load(m.improbe, library, "MPI_Improbe");
  load(m.imrecv, library, "MPI_Imrecv");
  load(m.mrecv, library, "MPI_Mrecv");
  load(m.get_count, library, "MPI_Get_count");
  load(m.test, library, "MPI_Test");
  load(m.allreduce, library, "MPI_Allreduce");
  m.world = symbol(library, "ompi_mpi_comm_world");
  m.byte = symbol(library, "ompi_mpi_byte");
  m.float32 = symbol(library, "ompi_mpi_float");
  m.sum = symbol(library, "ompi_mpi_op_sum");
  m.errors_return = symbol(library, "ompi_mpi_errors_return");
  return m;
}

}  // namespace

const Mpi& mpi() {
  static const Mpi library = loaded();
  return library;
}

}  // namespace t2v::comm
