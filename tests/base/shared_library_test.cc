#include "base/shared_library.h"

#include <gtest/gtest.h>

#include "t2v/error.h"

namespace t2v {
namespace {

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(SharedLibrary, GivesAFunctionThatCanBeCalled) {
  const SharedLibrary library("libz.so.1", SharedLibrary::Symbols::kOwn, "this test needs", "install zlib");
  const char* (*version)() = nullptr;
  library.load(version, "zlibVersion");
  EXPECT_EQ(version()[0], '1');
}

TEST(SharedLibrary, SaysWhatALibraryThatIsMissingIsForAndWhatToDo) {
  EXPECT_EQ(message_of([] {
              const SharedLibrary library("libnone.so.9", SharedLibrary::Symbols::kOwn, "clouds need",
                                          "wait for rain");
            }),
            "clouds need libnone.so.9, which cannot be loaded; wait for rain");
}

TEST(SharedLibrary, NamesAFunctionThatIsMissing) {
  const SharedLibrary library("libz.so.1", SharedLibrary::Symbols::kOwn, "this test needs", "install zlib");
  EXPECT_EQ(message_of([&] { library.symbol("no_such_function"); }),
            "libz.so.1 has no no_such_function; install zlib");
}

}  // namespace
}  // namespace t2v
