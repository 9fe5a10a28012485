#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/checksum.h"
#include "base/json_text.h"
#include "base/version.h"
#include "comm/same_facts.h"
#include "kernels/matmul.h"
#include "kernels/target.h"
#include "train/same_ranks.h"
#include "train/training.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

std::string digest_of(const nn::Parameters<float>& parameters) {
  const std::span<const std::byte> pieces[] = {
      std::as_bytes(std::span<const float>(parameters.dense)),
      std::as_bytes(std::span<const float>(parameters.table)),
      std::as_bytes(std::span<const double>(parameters.wide)),
  };
  return checksum_text(checksum(pieces));
}

comm::Facts facts_of(const data::Events& events) {
  const Json provenance = parse_json_text(events.provenance);
  return {{"the version", kVersion},
          {"the instruction set", kernels::active_target()},
          {"the version of oneDNN", kernels::matmul_version()},
          {"the number of events", std::to_string(events.size())},
          {"the data", provenance.is_object() ? provenance.value("digest", "") : ""}};
}

void Training::check_same_on_all_ranks() const {
  comm::Facts facts = facts_of(events_);
  for (const auto& option : trained_.options->items()) {
    facts.emplace_back("`" + field_name(option.key()) + "`", text_of(option.value()));
  }
  facts.emplace_back("the data as they are split and encoded", data_digest());
  facts.emplace_back("the step", std::to_string(fit_->steps()));
  facts.emplace_back("the weights", digest_of(fit_->weights()));
  comm::check_same(ranks_, facts);
}

}  // namespace t2v
