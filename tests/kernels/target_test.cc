#include "kernels/target.h"

#include <dnnl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "t2v/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/target_test.cc"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace t2v::kernels::HWY_NAMESPACE {

int64_t TestCompiledTarget() { return HWY_TARGET; }

}  // namespace t2v::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace t2v::kernels {

HWY_EXPORT(TestCompiledTarget);

namespace {

/// Highway's name of the version that really runs.
std::string running_target() { return hwy::TargetName(T2V_DISPATCH(TestCompiledTarget)()); }

std::string highway_name(const std::string& name) {
  const std::map<std::string, std::string> names = {
      {"avx512", "AVX3"}, {"avx2", "AVX2"}, {"sse4", "SSE4"}, {"ssse3", "SSSE3"}, {"scalar", "SCALAR"}};
  return names.at(name);
}

dnnl_cpu_isa_t onednn_set(const std::string& name) {
  if (name == "avx512") return dnnl_cpu_isa_avx512_core;
  return name == "avx2" ? dnnl_cpu_isa_avx2 : dnnl_cpu_isa_sse41;
}

std::string wish() {
  const char* name = std::getenv("T2V_TARGET");
  return name == nullptr ? "" : name;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// For a process of its own: makes the choice under T2V_TARGET=name and exits with 0 if that is what runs,
/// with 3 and the message if it is refused.
[[noreturn]] void choose_and_exit(const std::string& name) {
  ::setenv("T2V_TARGET", name.c_str(), 1);
  try {
    const bool right = active_target() == name && running_target() == highway_name(name) &&
                       dnnl_get_effective_cpu_isa() == onednn_set(name) &&
                       contains(machine_targets(), "scalar");
    std::exit(right ? 0 : 1);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(3);
  }
}

/// As above without a wish.
[[noreturn]] void choose_freely_and_exit(bool empty) {
  if (empty) {
    ::setenv("T2V_TARGET", "", 1);
  } else {
    ::unsetenv("T2V_TARGET");
  }
  const std::string best = machine_targets().front();
  std::exit(active_target() == best && running_target() == highway_name(best) ? 0 : 1);
}

TEST(Target, IsOneOfTheMachine) { EXPECT_TRUE(contains(machine_targets(), active_target())); }

TEST(Target, IsTheOneThatTheEnvironmentNamesOrTheBest) {
  EXPECT_EQ(active_target(), wish().empty() ? machine_targets().front() : wish());
}

TEST(Target, IsWhatHighwayRuns) { EXPECT_EQ(running_target(), highway_name(active_target())); }

TEST(Target, HoldsOneDnnToTheNamedSet) {
  choose_target();
  if (!wish().empty()) {
    EXPECT_EQ(dnnl_get_effective_cpu_isa(), onednn_set(wish()));
  }
}

TEST(Target, ListsWhatTheMachineHasWhateverIsChosen) {
  choose_target();
  const std::vector<std::string> names = machine_targets();
  EXPECT_EQ(names.back(), "scalar");
#ifdef __x86_64__
  EXPECT_EQ(contains(names, "ssse3"), __builtin_cpu_supports("ssse3") != 0);
  EXPECT_EQ(contains(names, "avx2"),
            __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(contains(names, "avx512"), __builtin_cpu_supports("avx512vl") != 0);
#endif
}

// The choice is made once a process, so each needs a fresh one, which the "threadsafe" style gives.
class TargetDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { ::testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(TargetDeathTest, CanBeAnySetOfTheMachine) {
  for (const std::string& name : machine_targets()) {
    EXPECT_EXIT(choose_and_exit(name), ::testing::ExitedWithCode(0), "") << name;
  }
}

TEST_F(TargetDeathTest, IsTheBestWithoutAWish) {
  EXPECT_EXIT(choose_freely_and_exit(false), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(choose_freely_and_exit(true), ::testing::ExitedWithCode(0), "");
}

TEST_F(TargetDeathTest, IsRefusedWithAListOfSetsWhenUnknown) {
  std::string list;
  for (const std::string& name : machine_targets()) list += ".*" + name;
  for (const char* name : {"mmx", "AVX2", "avx", "avx2 "}) {
    EXPECT_EXIT(choose_and_exit(name), ::testing::ExitedWithCode(3),
                "T2V_TARGET.*'" + std::string(name) + "'" + list);
  }
}

}  // namespace
}  // namespace t2v::kernels
#endif
