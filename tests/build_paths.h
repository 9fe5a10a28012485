#pragma once

#include <string>
#include <string_view>

// Where things are on this machine. Only build_paths.cc knows, so that ccache serves all other objects of the
// tests in every clone.
namespace t2v {

extern const char* const kSourceDir;  // the project
extern const char* const kBuildDir;
extern const char* const kCommand;  // t2v

/// A file of the project, such as "tests/golden/goldens.jsonl".
std::string source_path(std::string_view path);

/// A data set that is not part of the project, in the folder that the environment variable T2V_TEST_DATA
/// names, or else in ../shared/data. Empty if it is missing; the test is then skipped with no_test_data().
std::string test_data(std::string_view path);
std::string no_test_data(std::string_view path);

}  // namespace t2v
