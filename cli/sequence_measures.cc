#include "sequence_measures.h"

#include <fmt/format.h>

#include <cmath>

namespace t2v::cli {
namespace {

using Type = data::ParquetColumn::Type;

std::string number_text(double number) { return std::isnan(number) ? "" : fmt::format("{:.9g}", number); }

}  // namespace

SequenceMeasures::SequenceMeasures(const std::string& path, const std::string& measure) {
  if (data::names_parquet(path)) {
    table_.emplace(FileSystem::real(), path, kMeasureTable,
                   std::vector<data::ParquetColumn>{{"id", Type::kText},
                                                    {"predictions", Type::kWhole},
                                                    {"loss", Type::kNumber},
                                                    {measure, Type::kNumber}});
    return;
  }
  text_.emplace(path);
  text_->buffer() += fmt::format("id,predictions,loss,{}\n", measure);
}

void SequenceMeasures::write(std::string_view id, const PieceMeasures& measures) {
  if (table_) {
    table_->set_text(0, id);
    table_->set_whole(1, measures.predictions);
    table_->set_number(2, measures.loss);
    table_->set_number(3, measures.measure);
    return table_->end_row();
  }
  add_csv_cell(text_->buffer(), id);
  text_->buffer() += fmt::format(",{},{},{}\n", measures.predictions, number_text(measures.loss),
                                 number_text(measures.measure));
  text_->flush_if_full();
}

void SequenceMeasures::finish() {
  if (table_) {
    table_->finish();
  } else {
    text_->finish();
  }
}

}  // namespace t2v::cli
