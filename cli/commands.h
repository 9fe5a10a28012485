#pragma once

#include <CLI/CLI.hpp>

// One function a command: it adds the command with its options and help, and what it does when chosen.
namespace t2v::cli {

void add_ablate(CLI::App& app);
void add_bench(CLI::App& app);
void add_completion(CLI::App& app);
void add_doctor(CLI::App& app);
void add_encode(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_export(CLI::App& app);
void add_formats(CLI::App& app);
void add_import(CLI::App& app);
void add_inspect(CLI::App& app);
void add_manual(CLI::App& app);
void add_predict(CLI::App& app);
void add_report(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_rescale(CLI::App& app);
void add_stream(CLI::App& app);
void add_train(CLI::App& app);

}  // namespace t2v::cli
