#include "paper/machine.h"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "kernels/matmul.h"
#include "kernels/target.h"

namespace t2v::paper {
namespace {

/// What stands behind the colon in the first line of a file of /proc that starts with `key`.
std::string proc_value(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

}  // namespace

std::string processor_name() { return proc_value("/proc/cpuinfo", "model name"); }

std::string date_of_today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

nlohmann::json describe_machine(int threads) {
  const double kib = std::strtod(proc_value("/proc/meminfo", "MemTotal").c_str(), nullptr);
  return {{"cpu", processor_name()},
          {"cores", std::thread::hardware_concurrency()},
          {"memory_gib", std::round(kib / (1 << 20) * 10) / 10},
          {"target", kernels::active_target()},
          {"threads", threads},
          {"compiler", __VERSION__},
          {"onednn", kernels::matmul_version()},
          {"date", date_of_today()}};
}

}  // namespace t2v::paper
