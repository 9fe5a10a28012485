#include "comm/mpi_library.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

#if __has_include(<mpi.h>)
#define OMPI_SKIP_MPICXX  // whose functions would have to be linked
#include <mpi.h>
#endif

namespace t2v::comm {
namespace {

TEST(MpiLibrary, IsDeclaredAsOpenMpiDeclaresIt) {
#if defined(OPEN_MPI)
  static_assert(sizeof(MpiStatus) == sizeof(MPI_Status));
  static_assert(offsetof(MpiStatus, source) == offsetof(MPI_Status, MPI_SOURCE));
  static_assert(offsetof(MpiStatus, tag) == offsetof(MPI_Status, MPI_TAG));
  static_assert(offsetof(MpiStatus, error) == offsetof(MPI_Status, MPI_ERROR));
  static_assert(std::is_pointer_v<MPI_Comm> && std::is_pointer_v<MPI_Datatype> && std::is_pointer_v<MPI_Op> &&
                std::is_pointer_v<MPI_Request> && std::is_pointer_v<MPI_Message> &&
                std::is_pointer_v<MPI_Errhandler>);
  static_assert(kMpiSuccess == MPI_SUCCESS);
  static_assert(kMpiAnySource == MPI_ANY_SOURCE);
  static_assert(kMpiThreadSerialized == MPI_THREAD_SERIALIZED);
  static_assert(kMpiMaxErrorText >= MPI_MAX_ERROR_STRING);
#else
  GTEST_SKIP() << "there is no mpi.h of OpenMPI: scripts/install mpi";
#endif
}

}  // namespace
}  // namespace t2v::comm
