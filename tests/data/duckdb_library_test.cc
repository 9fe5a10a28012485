#include "data/duckdb_library.h"

#include <gtest/gtest.h>

#include "data/duckdb_here.h"

namespace t2v::data {
namespace {

std::string refusal(const std::string& file) {
  try {
    duckdb_from(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DuckdbLibrary, IsLoadedAndSaysItsVersion) {
  if (!no_duckdb().empty()) GTEST_SKIP() << no_duckdb();
  EXPECT_TRUE(std::string(duckdb().library_version()).starts_with('v'));
  EXPECT_EQ(duckdb().vector_size(), 2048);
}

TEST(DuckdbLibrary, ThatIsMissingIsSaidWithHowToGetIt) {
  const std::string what = refusal("/nowhere/libduckdb.so");
  EXPECT_TRUE(what.starts_with(
      "Parquet, databases and SQL need DuckDB's /nowhere/libduckdb.so, which cannot be loaded; "
      "get it with scripts/install duckdb"))
      << what;
  EXPECT_NE(what.find("T2V_DUCKDB"), std::string::npos);
  EXPECT_NE(what.find("1.5.6"), std::string::npos);
}

TEST(DuckdbLibrary, ThatIsAnotherOneIsRefused) {
  const std::string what = refusal("libz.so.1");
  EXPECT_TRUE(what.starts_with("libz.so.1 has no duckdb_library_version; ")) << what;
}

}  // namespace
}  // namespace t2v::data
