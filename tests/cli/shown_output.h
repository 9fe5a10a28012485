#pragma once

#include <string>
#include <vector>

// What a page shows below a command, held against what the command prints.
namespace t2v {

/// What is wrong with a shown line beside the printed one; empty if nothing. Text and counts are compared
/// exactly, numbers with a decimal point within 0.02 up to 1 and within 2 % beyond, losses within 2 %, spans
/// such as `361 d` within 2 %; timings, speeds and sizes of files (`s`, `ms`, `events/s`, `bytes`) and the
/// width of gaps are ignored.
std::string line_fault(const std::string& shown, const std::string& printed);

/// What is wrong with shown output; empty if nothing. A line `...` stands for any lines; what is between two
/// of them must be printed in this order, line below line.
std::string output_fault(const std::string& shown, const std::string& printed);

/// The same output as it is printed now. Runs of lines between `...` start and end at the printed lines that
/// are most like their first and last. Shown output of which an end is found nowhere stays as it is.
std::string refreshed_output(const std::string& shown, const std::string& printed);

}  // namespace t2v
