#include "comm/same_facts.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/fail.h"

namespace t2v::comm {
namespace {

constexpr char kEnd = '\0';  // of each text in a message

Bytes message_of(const Facts& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += name + kEnd + value + kEnd;
  return bytes_of(text);
}

Facts facts_of(std::string_view text) {
  Facts facts;
  const auto take = [&text] {
    const std::size_t end = std::min(text.find(kEnd), text.size());
    std::string taken(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
  };
  while (!text.empty()) {
    std::string name = take();
    facts.emplace_back(std::move(name), take());
  }
  return facts;
}

std::string value_of(const Facts& facts, const std::string& name) {
  const auto found = std::ranges::find(facts, name, &Facts::value_type::first);
  return found == facts.end() ? "unset" : found->second;
}

/// The name of the first that differs, or that only one of them has.
std::optional<std::string> difference(const Facts& a, const Facts& b) {
  for (const Facts* facts : {&a, &b}) {
    for (const auto& fact : *facts) {
      if (value_of(a, fact.first) != value_of(b, fact.first)) return fact.first;
    }
  }
  return std::nullopt;
}

}  // namespace

void check_same(Communicator& ranks, const Facts& facts) {
  if (ranks.alone()) return;
  Bytes mine = message_of(facts);
  std::string complaint;
  const std::vector<Bytes> all = gather(ranks, mine);
  for (std::size_t rank = 1; rank < all.size() && complaint.empty(); ++rank) {
    const Facts theirs = facts_of(text_of(all[rank]));
    if (const auto name = difference(facts, theirs)) {
      complaint = fmt::format("rank {} of {} has {} {}, but rank 0 has {}; start all ranks with the same",
                              rank, ranks.size(), *name, value_of(theirs, *name), value_of(facts, *name));
    }
  }
  Bytes verdict = bytes_of(complaint);
  broadcast(ranks, verdict);
  if (verdict.size() > 0) fail("{}", text_of(verdict));
}

}  // namespace t2v::comm
