#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "data/chunk_reader.h"
#include "data/event_table.h"
#include "data/read_rows.h"
#include "data/time_cells.h"
#include "data/typed_table.h"

namespace t2v::data {

/// The rows of a piece of a typed table, read: the same as ChunkReader makes of a text, without a text in
/// between. Memory is reused from piece to piece.
class TypedReader final : public ReadRows {
 public:
  /// `types`: of the plan's columns. The piece must stay as it is while faults are looked at.
  void read(const ReadPlan& plan, const std::vector<TypedColumn>& types, const TypedPiece& piece,
            FinderSets::Set& finders);

  /// Of cells, by columns; `at` is the row, `seen` the cell as text.
  const std::vector<Fault>& faults() const { return faults_; }
  Fault fault_at(std::size_t column, std::size_t row, std::string_view what) const override;

 private:
  void read_column(const ReadPlan& plan, std::size_t column, NameFinder& finder);
  void read_names(std::size_t column, const Names* known, NameFinder& finder);
  void check_names(std::size_t column, const Names* known, Role role);
  void read_numbers(std::size_t column);
  void read_times(const ReadPlan& plan, std::size_t column);
  std::string_view read_time(const ReadPlan& plan, std::size_t column, std::size_t row, TimeCells& times,
                             std::string& buffer);
  std::string_view whole_time(const ReadPlan& plan, Decimal number, std::size_t column, std::size_t row,
                              const TimeCells& times);
  std::string_view text_time(const ReadPlan& plan, std::string_view text, std::size_t column, std::size_t row,
                             TimeCells& times);
  void add_fault(std::size_t column, std::size_t row, std::string_view what);

  const std::vector<TypedColumn>* types_ = nullptr;
  const TypedPiece* piece_ = nullptr;
  std::vector<Fault> faults_;
  mutable std::deque<std::string> seen_;  // cells of faults
};

}  // namespace t2v::data
