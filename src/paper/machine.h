#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

// What results were made on, and with.
namespace t2v::paper {

/// As the system calls it; empty where it does not say.
std::string processor_name();

/// Of the calendar in UTC, such as 2026-01-31.
std::string date_of_today();

/// Processor, cores, memory, instruction set, threads, compiler, oneDNN and the date, by name.
nlohmann::json describe_machine(int threads);

}  // namespace t2v::paper
