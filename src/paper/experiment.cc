#include "paper/experiment.h"

#include "base/fail.h"
#include "base/text_check.h"
#include "paper/recommendation_experiments.h"

namespace t2v::paper {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> kAll = {
      toy(),      event_mnist(), spikes(),      stack_overflow(), lastfm(),        citeulike(),
      timelstm(), activations(), frequencies(), linear_term(),    linear_tlstm3(), shift()};
  return kAll;
}

const Experiment& experiment_from(std::string_view name) {
  std::string names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names += std::string(experiment.name) + ", ";
  }
  fail("there is no experiment '{}'; there is: {}all", shown(name), names);
}

}  // namespace t2v::paper
