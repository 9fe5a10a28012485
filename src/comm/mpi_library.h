#pragma once

#include <cstddef>

namespace t2v::comm {

// What is used of OpenMPI's binary interface (libmpi.so.40, which the versions 4.0 to 5.0 share), declared
// here so that the tool is built where no MPI is and runs on many machines where there is one. A test holds
// it against mpi.h.
using MpiHandle = void*;  // of a communicator, a data type, an operation, a request, a message
struct MpiStatus {
  int source;
  int tag;
  int error;
  int cancelled;
  std::size_t count;
};
inline constexpr int kMpiSuccess = 0;
inline constexpr int kMpiAnySource = -1;
inline constexpr int kMpiThreadSerialized = 2;
inline constexpr int kMpiMaxErrorText = 256;

/// The library, loaded when it is first needed.
struct Mpi {
  int (*init_thread)(int*, char***, int required, int* provided);
  int (*finalize)();
  int (*abort)(MpiHandle comm, int code);
  int (*comm_rank)(MpiHandle comm, int* rank);
  int (*comm_size)(MpiHandle comm, int* size);
  int (*comm_set_errhandler)(MpiHandle comm, MpiHandle handler);
  int (*error_string)(int code, char* text, int* length);
  int (*isend)(const void*, int count, MpiHandle type, int to, int tag, MpiHandle comm, MpiHandle* request);
  int (*improbe)(int from, int tag, MpiHandle comm, int* there, MpiHandle* message, MpiStatus*);
  int (*imrecv)(void*, int count, MpiHandle type, MpiHandle* message, MpiHandle* request);
  int (*mrecv)(void*, int count, MpiHandle type, MpiHandle* message, MpiStatus*);
  int (*get_count)(const MpiStatus*, MpiHandle type, int* count);
  int (*test)(MpiHandle* request, int* done, MpiStatus*);
  int (*iallreduce)(const void*, void*, int count, MpiHandle type, MpiHandle operation, MpiHandle comm,
                    MpiHandle* request);
  MpiHandle world;
  MpiHandle byte;
  MpiHandle float32;
  MpiHandle sum;
  MpiHandle errors_return;
};

/// Loads it if need be. Throws t2v::Error if it is not installed.
const Mpi& mpi();

}  // namespace t2v::comm
