#include "data/duckdb_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/shared_library.h"

namespace t2v::data {
namespace {

constexpr const char* kFile = "libduckdb.so";

/// The folder of the library that this is part of, or of the program. Never one that depends on the folder
/// that a command is started in.
std::filesystem::path own_folder() {
  std::error_code ignored;
  Dl_info info{};
  const bool found =
      dladdr(reinterpret_cast<const void*>(&duckdb_advice), &info) != 0 && info.dli_fname != nullptr;
  std::filesystem::path own = found ? info.dli_fname : "";
  if (!own.is_absolute()) own = "/proc/self/exe";
  return std::filesystem::canonical(own, ignored).parent_path();
}

std::string& offered() {
  static std::string file;
  return file;
}

/// Where it may be: the file that T2V_DUCKDB names alone; else what scripts/install gets for a build, what is
/// installed beside us, what was offered, and where the loader looks.
std::string file_to_load() {
  const char* given = std::getenv("T2V_DUCKDB");
  if (given != nullptr && *given != '\0') return given;
  const std::filesystem::path folder = own_folder();
  std::vector<std::filesystem::path> places;
  if (!folder.empty()) {
    places = {folder / kFile, folder / "../lib" / kFile, folder / "../../duckdb" / kFile};
  }
  std::error_code ignored;
  for (const std::filesystem::path& place : places) {
    if (std::filesystem::exists(place, ignored)) return place.string();
  }
  return offered().empty() ? kFile : offered();
}

void load_all(const SharedLibrary& library, Duckdb& d) {
  library.load(d.library_version, "duckdb_library_version");
  library.load(d.free, "duckdb_free");
  library.load(d.create_config, "duckdb_create_config");
  library.load(d.set_config, "duckdb_set_config");
  library.load(d.destroy_config, "duckdb_destroy_config");
  library.load(d.open_ext, "duckdb_open_ext");
  library.load(d.close, "duckdb_close");
  library.load(d.connect, "duckdb_connect");
  library.load(d.disconnect, "duckdb_disconnect");
  library.load(d.prepare, "duckdb_prepare");
  library.load(d.prepare_error, "duckdb_prepare_error");
  library.load(d.prepared_statement_type, "duckdb_prepared_statement_type");
  library.load(d.bind_varchar, "duckdb_bind_varchar");
  library.load(d.destroy_prepare, "duckdb_destroy_prepare");
  library.load(d.execute_prepared, "duckdb_execute_prepared");
  library.load(d.execute_prepared_streaming, "duckdb_execute_prepared_streaming");
  library.load(d.result_error, "duckdb_result_error");
  library.load(d.destroy_result, "duckdb_destroy_result");
  library.load(d.prepared_statement_column_count, "duckdb_prepared_statement_column_count");
  library.load(d.prepared_statement_column_name, "duckdb_prepared_statement_column_name");
  library.load(d.prepared_statement_column_logical_type, "duckdb_prepared_statement_column_logical_type");
  library.load(d.get_type_id, "duckdb_get_type_id");
  library.load(d.decimal_width, "duckdb_decimal_width");
  library.load(d.decimal_scale, "duckdb_decimal_scale");
  library.load(d.list_type_child_type, "duckdb_list_type_child_type");
  library.load(d.struct_type_child_count, "duckdb_struct_type_child_count");
  library.load(d.struct_type_child_name, "duckdb_struct_type_child_name");
  library.load(d.struct_type_child_type, "duckdb_struct_type_child_type");
  library.load(d.create_logical_type, "duckdb_create_logical_type");
  library.load(d.create_decimal_type, "duckdb_create_decimal_type");
  library.load(d.destroy_logical_type, "duckdb_destroy_logical_type");
  library.load(d.fetch_chunk, "duckdb_fetch_chunk");
  library.load(d.create_data_chunk, "duckdb_create_data_chunk");
  library.load(d.data_chunk_reset, "duckdb_data_chunk_reset");
  library.load(d.destroy_data_chunk, "duckdb_destroy_data_chunk");
  library.load(d.data_chunk_get_size, "duckdb_data_chunk_get_size");
  library.load(d.data_chunk_set_size, "duckdb_data_chunk_set_size");
  library.load(d.data_chunk_get_vector, "duckdb_data_chunk_get_vector");
  library.load(d.vector_get_data, "duckdb_vector_get_data");
  library.load(d.vector_get_validity, "duckdb_vector_get_validity");
  library.load(d.vector_ensure_validity_writable, "duckdb_vector_ensure_validity_writable");
  library.load(d.vector_assign_string_element_len, "duckdb_vector_assign_string_element_len");
  library.load(d.vector_size, "duckdb_vector_size");
  library.load(d.appender_create, "duckdb_appender_create");
  library.load(d.append_data_chunk, "duckdb_append_data_chunk");
  library.load(d.appender_error, "duckdb_appender_error");
  library.load(d.appender_destroy, "duckdb_appender_destroy");
}

/// The types and the values of a question that has a number, an instant and a text that is not in place.
bool answers_as_known(const Duckdb& d, DuckdbHandle connection) {
  constexpr const char* kQuestion =
      "SELECT 42::BIGINT, TIMESTAMP_NS '1970-01-01 00:00:00.000000007', 'a text of 21 bytes...', "
      "NULL::DOUBLE";
  constexpr std::string_view kText = "a text of 21 bytes...";
  DuckdbHandle statement = nullptr;
  DuckdbResult result{};
  bool known = d.prepare(connection, kQuestion, &statement) == kDuckdbSuccess &&
               d.prepared_statement_type(statement) == kDuckdbSelect &&
               d.prepared_statement_column_count(statement) == 4 &&
               d.execute_prepared_streaming(statement, &result) == kDuckdbSuccess;
  DuckdbHandle chunk = known ? d.fetch_chunk(result) : nullptr;
  known = chunk != nullptr && d.data_chunk_get_size(chunk) == 1;
  if (known) {
    const auto data = [&](DuckdbCount column) {
      return d.vector_get_data(d.data_chunk_get_vector(chunk, column));
    };
    DuckdbHandle type = d.prepared_statement_column_logical_type(statement, 1);
    const auto* text = static_cast<const DuckdbText*>(data(2));
    const uint64_t* validity = d.vector_get_validity(d.data_chunk_get_vector(chunk, 3));
    known = *static_cast<const int64_t*>(data(0)) == 42 && *static_cast<const int64_t*>(data(1)) == 7 &&
            d.get_type_id(type) == DuckdbType::kTimestampNs && text->size == kText.size() &&
            std::memcmp(text->all, kText.data(), kText.size()) == 0 && validity != nullptr &&
            (*validity & 1) == 0;
    d.destroy_logical_type(&type);
  }
  if (chunk != nullptr) d.destroy_data_chunk(&chunk);
  d.destroy_result(&result);
  if (statement != nullptr) d.destroy_prepare(&statement);
  return known;
}

bool probe(const Duckdb& d) {
  DuckdbHandle database = nullptr;
  DuckdbHandle connection = nullptr;
  bool known = d.open_ext(nullptr, &database, nullptr, nullptr) == kDuckdbSuccess &&
               d.connect(database, &connection) == kDuckdbSuccess;
  known = known && answers_as_known(d, connection);
  if (connection != nullptr) d.disconnect(&connection);
  if (database != nullptr) d.close(&database);
  return known;
}

}  // namespace

std::string duckdb_advice() {
  return "get it with scripts/install duckdb, or name a libduckdb.so with the environment variable "
         "T2V_DUCKDB "
         "(tested: 1.5.6 of the npm package @duckdb/node-bindings-linux-x64, in Python also 2.0 of PyPI's "
         "duckdb)";
}

Duckdb duckdb_from(const std::string& file) {
  const SharedLibrary library(file, SharedLibrary::Symbols::kOwn, "Parquet, databases and SQL need DuckDB's",
                              duckdb_advice());
  Duckdb d{};
  load_all(library, d);
  if (!probe(d)) {
    fail("{} ({}) does not answer a question as it should; {}", file, d.library_version(), duckdb_advice());
  }
  return d;
}

void offer_duckdb(std::string file) { offered() = std::move(file); }

const Duckdb& duckdb() {
  static const Duckdb library = duckdb_from(file_to_load());
  return library;
}

}  // namespace t2v::data
