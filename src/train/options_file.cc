#include "train/options_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v {
namespace {

constexpr std::string_view kWanted = "a JSON object of options, such as {\"hidden\": 64}";
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr int kDeepest = 8;

/// "2:5", from 1, of a byte.
std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t line = before.rfind('\n');
  return fmt::format("{}:{}", 1 + std::ranges::count(before, '\n'),
                     line == std::string_view::npos ? before.size() + 1 : before.size() - line);
}

}  // namespace

nlohmann::json parse_options(const std::string& path, std::string_view text) {
  std::set<std::string> keys;
  const auto once = [&](int depth, nlohmann::json::parse_event_t event, const nlohmann::json& key) {
    if (depth > kDeepest) fail("{}: is nested more than {} levels deep; write {}", path, kDeepest, kWanted);
    if (event == nlohmann::json::parse_event_t::key && depth == 1 && !keys.insert(key).second) {
      fail("{}: the option '{}' is there twice; leave one out", path, shown(key.get<std::string>()));
    }
    return true;
  };
  try {
    nlohmann::json json = nlohmann::json::parse(text, once);
    if (!json.is_object()) fail("{}: is not {}", path, kWanted);
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t at = std::max<std::size_t>(error.byte, 1) - 1;
    fail("{}:{}: {}; write {}", path, place_of(text, at),
         at >= text.size() ? "the file ends too early" : "this is not valid JSON", kWanted);
  } catch (const nlohmann::json::out_of_range&) {
    fail("{}: has a number that is too large to be one; write {}", path, kWanted);
  }
}

nlohmann::json read_options_file(FileSystem& files, const std::string& path) {
  const std::vector<std::byte> bytes = read_file(files, path, kMostBytes);
  return parse_options(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace t2v
