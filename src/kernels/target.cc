#include "kernels/target.h"

#include <dnnl.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdlib>

#include "base/fail.h"

namespace t2v::kernels {
namespace {

struct Target {
  const char* name;
  int64_t bit;
  dnnl_cpu_isa_t onednn;
};

constexpr Target kTargets[] = {
    {"avx512", HWY_AVX3, dnnl_cpu_isa_avx512_core}, {"avx2", HWY_AVX2, dnnl_cpu_isa_avx2},
    {"sse4", HWY_SSE4, dnnl_cpu_isa_sse41},         {"ssse3", HWY_SSSE3, dnnl_cpu_isa_sse41},
    {"scalar", HWY_SCALAR, dnnl_cpu_isa_sse41},
};

/// Asked before anything is disabled, so that it tells of the machine and not of the choice.
int64_t machine_mask() {
  static const int64_t mask = hwy::SupportedTargets() & HWY_TARGETS;
  return mask;
}

bool machine_has(const Target& target) { return (machine_mask() & target.bit) != 0; }

std::string names_of(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

const Target& wanted(const std::string& name) {
  for (const Target& target : kTargets) {
    if (name == target.name && machine_has(target)) return target;
  }
  fail("T2V_TARGET: '{}' is no instruction set of this machine; it has {}", name,
       names_of(machine_targets()));
}

const Target& choose() {
  const char* name = std::getenv("T2V_TARGET");  // NOLINT(concurrency-mt-unsafe): read once, never set
  if (name == nullptr || *name == '\0') {
    for (const Target& target : kTargets) {
      if (machine_has(target)) return target;
    }
    fail("this machine has none of the instruction sets that the kernels are compiled for");
  }
  const Target& target = wanted(name);
  hwy::DisableTargets(~target.bit);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  dnnl_set_max_cpu_isa(target.onednn);
  return target;
}

const Target& chosen() {
  static const Target& target = choose();
  return target;
}

}  // namespace

std::string active_target() { return chosen().name; }

std::vector<std::string> machine_targets() {
  std::vector<std::string> names;
  for (const Target& target : kTargets) {
    if (machine_has(target)) names.emplace_back(target.name);
  }
  return names;
}

void choose_target() { chosen(); }

}  // namespace t2v::kernels
