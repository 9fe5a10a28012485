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
  command->add_option("--onnx", options->onnx, "the file of ONNX to write")->required()->type_name("FILE");
  command->add_flag(
      "--single-step", options->config.single_step,
      wrapped("for streams: one event of each sequence, with the state before it as an input and the "
              "state after it as an output"));
  command->add_flag("--every-event", options->config.every_event,
                    "predict after every event, not after the last alone");
  add_options(*command, force_option(options->force, "Options"));
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
