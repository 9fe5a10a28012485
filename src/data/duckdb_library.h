#pragma once

#include <cstdint>
#include <string>

namespace t2v::data {

// What is used of DuckDB's C interface, declared here because its npm package has no header. The interface is
// stable since 1.0; duckdb() checks what it relies on.
using DuckdbHandle = void*;  // a database, connection, statement, chunk, vector, type or appender
using DuckdbCount = uint64_t;

enum class DuckdbType : int {
  kInvalid = 0,
  kBoolean = 1,
  kTinyInt = 2,
  kSmallInt = 3,
  kInteger = 4,
  kBigInt = 5,
  kUTinyInt = 6,
  kUSmallInt = 7,
  kUInteger = 8,
  kUBigInt = 9,
  kFloat = 10,
  kDouble = 11,
  kTimestamp = 12,
  kDate = 13,
  kTime = 14,
  kInterval = 15,
  kHugeInt = 16,
  kVarchar = 17,
  kBlob = 18,
  kDecimal = 19,
  kTimestampS = 20,
  kTimestampMs = 21,
  kTimestampNs = 22,
  kEnum = 23,
  kList = 24,
  kStruct = 25,
  kMap = 26,
  kUuid = 27,
  kUnion = 28,
  kBit = 29,
  kTimeTz = 30,
  kTimestampTz = 31,
  kUHugeInt = 32,
  kArray = 33,
};

struct DuckdbResult {
  DuckdbCount unused_counts[3];
  void* unused_columns;
  char* unused_error;
  void* inside;
};

/// A text in a vector: up to 12 bytes are in place.
struct DuckdbText {
  uint32_t size;
  char start[4];  // of a longer text, then where all of it is
  union {
    char rest[8];
    const char* all;
  };
};

inline constexpr int kDuckdbSuccess = 0;
inline constexpr int kDuckdbSelect = 1;  // the type of a statement

/// The library, loaded when it is first needed.
struct Duckdb {
  const char* (*library_version)();
  void (*free)(void*);

  int (*create_config)(DuckdbHandle*);
  int (*set_config)(DuckdbHandle, const char* name, const char* value);
  void (*destroy_config)(DuckdbHandle*);
  int (*open_ext)(const char* path, DuckdbHandle* database, DuckdbHandle config, char** error);
  void (*close)(DuckdbHandle*);
  int (*connect)(DuckdbHandle database, DuckdbHandle* connection);
  void (*disconnect)(DuckdbHandle*);

  int (*prepare)(DuckdbHandle connection, const char* query, DuckdbHandle* statement);
  const char* (*prepare_error)(DuckdbHandle statement);
  int (*prepared_statement_type)(DuckdbHandle statement);
  int (*bind_varchar)(DuckdbHandle statement, DuckdbCount index, const char* text);
  void (*destroy_prepare)(DuckdbHandle*);
  int (*execute_prepared)(DuckdbHandle statement, DuckdbResult*);
  int (*execute_prepared_streaming)(DuckdbHandle statement, DuckdbResult*);
  const char* (*result_error)(DuckdbResult*);
  void (*destroy_result)(DuckdbResult*);

  DuckdbCount (*prepared_statement_column_count)(DuckdbHandle statement);
  const char* (*prepared_statement_column_name)(DuckdbHandle statement, DuckdbCount column);  // to be freed
  DuckdbHandle (*prepared_statement_column_logical_type)(DuckdbHandle statement, DuckdbCount column);
  DuckdbType (*get_type_id)(DuckdbHandle type);
  uint8_t (*decimal_width)(DuckdbHandle type);
  uint8_t (*decimal_scale)(DuckdbHandle type);
  DuckdbHandle (*list_type_child_type)(DuckdbHandle type);
  DuckdbCount (*struct_type_child_count)(DuckdbHandle type);
  char* (*struct_type_child_name)(DuckdbHandle type, DuckdbCount index);
  DuckdbHandle (*struct_type_child_type)(DuckdbHandle type, DuckdbCount index);
  DuckdbHandle (*create_logical_type)(DuckdbType);
  DuckdbHandle (*create_decimal_type)(uint8_t width, uint8_t scale);
  void (*destroy_logical_type)(DuckdbHandle*);

  DuckdbHandle (*fetch_chunk)(DuckdbResult);
  DuckdbHandle (*create_data_chunk)(DuckdbHandle* types, DuckdbCount count);
  void (*data_chunk_reset)(DuckdbHandle chunk);
  void (*destroy_data_chunk)(DuckdbHandle*);
  DuckdbCount (*data_chunk_get_size)(DuckdbHandle chunk);
  void (*data_chunk_set_size)(DuckdbHandle chunk, DuckdbCount size);
  DuckdbHandle (*data_chunk_get_vector)(DuckdbHandle chunk, DuckdbCount column);
  void* (*vector_get_data)(DuckdbHandle vector);
  uint64_t* (*vector_get_validity)(DuckdbHandle vector);
  void (*vector_ensure_validity_writable)(DuckdbHandle vector);
  void (*vector_assign_string_element_len)(DuckdbHandle vector, DuckdbCount row, const char* text,
                                           DuckdbCount size);
  DuckdbCount (*vector_size)();

  int (*appender_create)(DuckdbHandle connection, const char* schema, const char* table,
                         DuckdbHandle* appender);
  int (*append_data_chunk)(DuckdbHandle appender, DuckdbHandle chunk);
  const char* (*appender_error)(DuckdbHandle appender);
  int (*appender_destroy)(DuckdbHandle*);
};

/// Loads it if need be, and asks it a question whose answer is known. Throws t2v::Error that says how to get
/// it if it is not there or not as it should be.
const Duckdb& duckdb();

/// A library that duckdb() takes where it finds no other; before it is first called.
void offer_duckdb(std::string file);

/// The same, where another file may be tried each time; for tests. `file`: as the loader looks for it.
Duckdb duckdb_from(const std::string& file);

/// What to do where it is not there.
std::string duckdb_advice();

}  // namespace t2v::data
