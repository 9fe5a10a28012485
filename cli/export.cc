#include "export/onnx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/fail.h"
#include "commands.h"
#include "data/human_time.h"
#include "data_options.h"
#include "distinct_files.h"
#include "model_data.h"
#include "output.h"
#include "say.h"

namespace t2v::cli {
namespace {

struct ExportOptions {
  std::string model;
  std::string onnx;
  OnnxConfig config;
  bool force = false;
};

void run(const ExportOptions& options) {
  refuse_to_overwrite({options.model}, {options.onnx});
  const Output output(options.onnx, kOnnxGraph, options.force);
  const OnnxFile file =
      export_onnx(FileSystem::real(), options.onnx, read_given_model(options.model), options.config);
  tell("inputs     {}\noutputs    {}\nwritten    {}, {} bytes, opset 17\n", fmt::join(file.inputs, ", "),
       fmt::join(file.outputs, ", "), options.onnx,
       data::human_count(static_cast<int64_t>(file.bytes.size())));
}

OptionTable options_of(ExportOptions& options) {
  OptionTable table;
  table.add({.name = "onnx",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "the file of ONNX to write",
             .takes = "FILE"},
            &options.onnx);
  table.add({.name = "single_step",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "for streams: one event of each sequence, with the state before it as an input and the "
                     "state after it as an output"},
            &options.config.single_step);
  table.add({.name = "every_event",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "predict after every event, not after the last alone"},
            &options.config.every_event);
  table.add(force_option(options.force, kOptionsGroup));
  return table;
}

}  // namespace

void add_export(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command =
      app.add_subcommand("export", "Write a trained model as ONNX, for other programs to run");
  command->footer(
      "The graph takes batches of sequences of any lengths, times as doubles, and gives what t2v predict\n"
      "gives; the model's names, unit and origin are notes in the file. docs/onnx.md tells all of it.\n"
      "Examples:\n"
      "  t2v export clicks.t2v --onnx clicks.onnx\n"
      "  t2v export clicks.t2v --onnx step.onnx --single-step");
  command->add_option("model", options->model, "the trained model")->required()->type_name("MODEL");
  add_options(*command, options_of(*options));
  command->get_option("--onnx")->required();
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
