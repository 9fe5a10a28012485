#include "data/duckdb_table.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/column_finder.h"
#include "data/table_schema.h"

namespace t2v::data {
namespace {

constexpr int64_t kPieceRows = 32 * 2048;
constexpr int64_t kDayNanoseconds = int64_t{86'400} * 1'000'000'000;

/// A column that is read: what gives it, and the form in which it comes.
struct Field {
  std::string expression;
  TypedColumn column;
  DuckdbType type;  // that comes
};

// --- types ---

using Take = void (*)(const void* data, DuckdbCount rows, std::vector<int64_t>& out);

template <class T>
void take_wholes(const void* data, DuckdbCount rows, std::vector<int64_t>& out) {
  const T* from = static_cast<const T*>(data);
  out.insert(out.end(), from, from + rows);
}

/// How whole numbers of a type come; nullptr for those that are none.
Take whole_taker(DuckdbType type) {
  switch (type) {
    case DuckdbType::kBoolean:
    case DuckdbType::kUTinyInt:
      return take_wholes<uint8_t>;
    case DuckdbType::kTinyInt:
      return take_wholes<int8_t>;
    case DuckdbType::kSmallInt:
      return take_wholes<int16_t>;
    case DuckdbType::kUSmallInt:
      return take_wholes<uint16_t>;
    case DuckdbType::kInteger:
    case DuckdbType::kDate:
      return take_wholes<int32_t>;
    case DuckdbType::kUInteger:
      return take_wholes<uint32_t>;
    case DuckdbType::kBigInt:
    case DuckdbType::kTimestamp:
    case DuckdbType::kTimestampS:
    case DuckdbType::kTimestampMs:
    case DuckdbType::kTimestampNs:
    case DuckdbType::kTimestampTz:
      return take_wholes<int64_t>;
    default:
      return nullptr;
  }
}

/// A decimal is kept in the smallest whole number that holds its digits.
DuckdbType type_of_mantissa(uint8_t width) {
  constexpr uint8_t kIn16 = 4;
  constexpr uint8_t kIn32 = 9;
  return width <= kIn16 ? DuckdbType::kSmallInt : width <= kIn32 ? DuckdbType::kInteger : DuckdbType::kBigInt;
}

struct TimeType {
  DuckdbType type;
  CellType cells;
  int64_t nanoseconds;
  std::string_view name;
};

constexpr std::array<TimeType, 6> kTimeTypes = {{
    {DuckdbType::kDate, CellType::kLocalTime, kDayNanoseconds, "DATE"},
    {DuckdbType::kTimestamp, CellType::kLocalTime, 1'000, "TIMESTAMP"},
    {DuckdbType::kTimestampS, CellType::kLocalTime, 1'000'000'000, "TIMESTAMP_S"},
    {DuckdbType::kTimestampMs, CellType::kLocalTime, 1'000'000, "TIMESTAMP_MS"},
    {DuckdbType::kTimestampNs, CellType::kLocalTime, 1, "TIMESTAMP_NS"},
    {DuckdbType::kTimestampTz, CellType::kInstant, 1'000, "TIMESTAMP WITH TIME ZONE"},
}};

struct NamedType {
  DuckdbType type;
  std::string_view name;
};

constexpr std::array<NamedType, 27> kTypeNames = {{
    {DuckdbType::kBoolean, "BOOLEAN"},
    {DuckdbType::kTinyInt, "TINYINT"},
    {DuckdbType::kSmallInt, "SMALLINT"},
    {DuckdbType::kInteger, "INTEGER"},
    {DuckdbType::kBigInt, "BIGINT"},
    {DuckdbType::kUTinyInt, "UTINYINT"},
    {DuckdbType::kUSmallInt, "USMALLINT"},
    {DuckdbType::kUInteger, "UINTEGER"},
    {DuckdbType::kUBigInt, "UBIGINT"},
    {DuckdbType::kFloat, "FLOAT"},
    {DuckdbType::kDouble, "DOUBLE"},
    {DuckdbType::kTime, "TIME"},
    {DuckdbType::kInterval, "INTERVAL"},
    {DuckdbType::kHugeInt, "HUGEINT"},
    {DuckdbType::kUHugeInt, "UHUGEINT"},
    {DuckdbType::kVarchar, "VARCHAR"},
    {DuckdbType::kBlob, "BLOB"},
    {DuckdbType::kDecimal, "DECIMAL"},
    {DuckdbType::kEnum, "ENUM"},
    {DuckdbType::kList, "LIST"},
    {DuckdbType::kArray, "ARRAY"},
    {DuckdbType::kStruct, "STRUCT"},
    {DuckdbType::kMap, "MAP"},
    {DuckdbType::kUuid, "UUID"},
    {DuckdbType::kUnion, "UNION"},
    {DuckdbType::kBit, "BIT"},
    {DuckdbType::kTimeTz, "TIME WITH TIME ZONE"},
}};

std::string name_of_type(DuckdbType type) {
  const auto* const found = std::ranges::find(kTypeNames, type, &NamedType::type);
  return found == kTypeNames.end() ? fmt::format("number {} of DuckDB", static_cast<int>(type))
                                   : std::string(found->name);
}

bool is_list_type(DuckdbType type) { return type == DuckdbType::kList || type == DuckdbType::kArray; }

void read_as_text(Field& field, CellType cells) {
  field.expression = fmt::format("CAST({} AS VARCHAR)", field.expression);
  field.column.type = cells;
  field.type = DuckdbType::kVarchar;
}

void settle_decimal(Field& field, const DuckdbLogicalType& type) {
  constexpr uint8_t kMostDigits = 18;
  const uint8_t width = duckdb().decimal_width(type.handle());
  const uint8_t scale = duckdb().decimal_scale(type.handle());
  field.column.type_name = fmt::format("DECIMAL({},{})", width, scale);
  if (width > kMostDigits) return read_as_text(field, CellType::kDigits);
  field.column.type = CellType::kDecimal;
  field.column.decimals = scale;
  field.type = type_of_mantissa(width);
}

/// A column of one value a row: what its cells are, and how they are asked for.
Field plain_field(std::string expression, std::string name, const DuckdbLogicalType& type) {
  Field field{std::move(expression), {.name = std::move(name)}, type.id()};
  TypedColumn& column = field.column;
  column.type_name = name_of_type(field.type);
  const auto* const time = std::ranges::find(kTimeTypes, field.type, &TimeType::type);
  if (time != kTimeTypes.end()) {
    column.type = time->cells;
    column.nanoseconds = time->nanoseconds;
    column.type_name = time->name;
    return field;
  }
  switch (field.type) {
    case DuckdbType::kBoolean:
      column.type = CellType::kBool;
      break;
    case DuckdbType::kFloat:
      column.type = CellType::kSingle;
      break;
    case DuckdbType::kDouble:
      column.type = CellType::kNumber;
      break;
    case DuckdbType::kVarchar:
    case DuckdbType::kBlob:  // texts of programs that do not mark them so; they are checked
      column.type = CellType::kText;
      break;
    case DuckdbType::kDecimal:
      settle_decimal(field, type);
      break;
    case DuckdbType::kUBigInt:
    case DuckdbType::kHugeInt:
    case DuckdbType::kUHugeInt:
      read_as_text(field, CellType::kDigits);
      break;
    case DuckdbType::kInterval:
    case DuckdbType::kMap:
    case DuckdbType::kUnion:
    case DuckdbType::kList:
    case DuckdbType::kArray:
    case DuckdbType::kStruct:
      break;
    default:
      if (whole_taker(field.type) != nullptr) {
        column.type = CellType::kWhole;
      } else {  // ENUM, UUID, TIME and what later versions bring
        read_as_text(field, CellType::kText);
      }
  }
  return field;
}

/// The columns of a result; fields of structs are columns of their own.
void add_fields(std::vector<Field>& fields, const std::string& expression, const std::string& name,
                const DuckdbLogicalType& type) {
  if (type.id() != DuckdbType::kStruct) return fields.push_back(plain_field(expression, name, type));
  const DuckdbCount count = duckdb().struct_type_child_count(type.handle());
  for (DuckdbCount i = 0; i < count; ++i) {
    char* text = duckdb().struct_type_child_name(type.handle(), i);
    const std::string child = text;
    duckdb().free(text);
    add_fields(fields, fmt::format("struct_extract({}, {})", expression, sql_text(child)), name + "." + child,
               DuckdbLogicalType(duckdb().struct_type_child_type(type.handle(), i)));
  }
}

// --- lists ---

/// Whether a list of this name is the times: the given name, or a usual one, also of many: timestamps.
bool names_times(const std::string& name, const std::string& given) {
  if (!given.empty()) return name == given || given.starts_with(name + ".");
  const auto& usual = usual_names(Role::kTime);
  return std::ranges::any_of(usual, [&](const std::string& one) { return name == one || name == one + "s"; });
}

/// A table in which each entry of the lists is a row, and the list that holds the times.
struct UnnestedTable {
  std::string from;
  std::string times;
};

/// Nothing where no list holds times.
std::optional<UnnestedTable> unnested(const DuckdbStatement& rows, const std::string& from,
                                      const std::string& given) {
  std::vector<std::string> lists;
  std::string times;
  for (DuckdbCount i = 0; i < rows.columns(); ++i) {
    if (!is_list_type(rows.column_type(i).id())) continue;
    const std::string name = rows.column_name(i);
    lists.push_back(name);
    if (times.empty() && names_times(name, given)) times = name;
  }
  if (times.empty()) return std::nullopt;
  std::string replaced;
  std::string check;
  for (const std::string& list : lists) {
    replaced += fmt::format("{0}unnest({1}) AS {1}", replaced.empty() ? "" : ", ", sql_name(list));
    if (list == times) continue;
    const std::string length = fmt::format("coalesce(len({}), 0)", sql_name(list));
    const std::string wanted = fmt::format("coalesce(len({}), 0)", sql_name(times));
    check += fmt::format(
        "{} CASE WHEN {} = {} THEN true ELSE error(concat('the list ''', {}, ''' has ', {}, ' entries, but "
        "''', "
        "{}, ''' has ', {}, '; both need one for each event')) END",
        check.empty() ? "WHERE" : " AND", length, wanted, sql_text(list), length, sql_text(times), wanted);
  }
  return UnnestedTable{fmt::format("(SELECT * REPLACE ({}) FROM {} {})", replaced, from, check), times};
}

// --- cells ---

bool is_there(const uint64_t* validity, DuckdbCount row) {
  return (validity[row / 64] >> (row % 64) & 1) != 0;
}

void mark_absent(const uint64_t* validity, DuckdbCount rows, std::size_t before, TypedCells& out) {
  if (validity == nullptr && out.absent.empty()) return;
  out.absent.resize(before + rows);
  if (validity == nullptr) return;
  bool any = false;
  for (DuckdbCount row = 0; row < rows; ++row) {
    if (is_there(validity, row)) continue;
    out.absent[before + row] = 1;
    any = true;
  }
  if (!any && before == 0) out.absent.clear();
}

void take_texts(const DuckdbChunk& chunk, DuckdbCount column, TypedCells& out) {
  const auto* texts = static_cast<const DuckdbText*>(chunk.data(column));
  const uint64_t* validity = chunk.validity(column);
  for (DuckdbCount row = 0; row < chunk.rows(); ++row) {
    const bool there = validity == nullptr || is_there(validity, row);
    out.texts.push_back(there ? view_of(texts[row]) : std::string_view());
  }
}

void take_cells(const Field& field, const DuckdbChunk& chunk, DuckdbCount column, std::size_t before,
                TypedCells& out) {
  const DuckdbCount rows = chunk.rows();
  mark_absent(chunk.validity(column), rows, before, out);
  if (field.type == DuckdbType::kVarchar || field.type == DuckdbType::kBlob) {
    take_texts(chunk, column, out);
  } else if (field.type == DuckdbType::kFloat) {
    const auto* from = static_cast<const float*>(chunk.data(column));
    out.numbers.insert(out.numbers.end(), from, from + rows);
  } else if (field.type == DuckdbType::kDouble) {
    const auto* from = static_cast<const double*>(chunk.data(column));
    out.numbers.insert(out.numbers.end(), from, from + rows);
  } else if (const Take take = whole_taker(field.type); take != nullptr) {
    take(chunk.data(column), rows, out.wholes);
  }
}

// --- tables ---

class DuckdbTable final : public TypedTable {
 public:
  DuckdbTable(DuckdbSession& session, DuckdbTableSource source)
      : session_(session), source_(std::move(source)) {
    explain([&] { settle_fields(); });
  }

  const std::string& name() const override { return source_.name; }
  const std::vector<TypedColumn>& columns() const override { return columns_; }

  std::string list_of_times() const override {
    return std::ranges::find(columns_, times_, &TypedColumn::name) == columns_.end() ? "" : times_;
  }

  int64_t rows() override {
    if (source_.is_query || is_unnested_) return 0;
    int64_t count = 0;
    explain([&] {
      const auto texts =
          session_.texts(fmt::format("SELECT CAST(count(*) AS VARCHAR) FROM {}", source_.from));
      count = std::stoll(texts.at(0));
    });
    return count;
  }

  void first_rows(TypedPiece& piece, int64_t most) override {
    std::vector<std::size_t> all(fields_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    if (!source_.is_query) {
      explain([&] { open(all, fmt::format(" LIMIT {}", most)); });
      take(piece, all, most);
      rows_.reset();
      return;
    }
    // The rows of a query are made once: those that were looked at are kept.
    explain([&] { open(all, ""); });
    piece.clear(all.size());
    while (piece.rows < most) {
      const auto chunk = fetched();
      if (chunk == nullptr) break;
      looked_at_.push_back(chunk);
      append(piece, *chunk, all, all);
      piece.owners.push_back(chunk);
    }
  }

  void start(const std::vector<std::size_t>& fields) override {
    wanted_ = fields;
    next_row_ = 1;
    in_result_.resize(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) in_result_[i] = source_.is_query ? fields[i] : i;
    if (!source_.is_query) explain([&] { open(fields, ""); });
  }

  bool next(TypedPiece& piece) override { return take(piece, in_result_, kPieceRows); }

 private:
  /// DuckDB's own words after the name.
  template <class Work>
  void explain(const Work& work) const {
    try {
      work();
    } catch (const Error& error) {
      fail("{}: {}", source_.name, error.what());
    }
  }

  void settle_fields() {
    std::string from = source_.is_query ? fmt::format("({}\n)", source_.from) : source_.from;
    auto columns = session_.prepare(source_.is_query ? source_.from : "SELECT * FROM " + from);
    if (!columns->is_select()) {
      fail("this is no query that only reads; one starts with SELECT, FROM or WITH");
    }
    if (const auto lists = unnested(*columns, from, source_.time)) {
      is_unnested_ = true;
      from = lists->from;
      times_ = lists->times;
      columns = session_.prepare("SELECT * FROM " + from);
    }
    std::string aliases;
    for (DuckdbCount i = 0; i < columns->columns(); ++i) {
      const std::string alias = fmt::format("c{}", i);
      aliases += (i == 0 ? "" : ", ") + alias;
      add_fields(fields_, alias, columns->column_name(i), columns->column_type(i));
    }
    from_ = fmt::format("{} AS t({})", from, aliases);
    for (const Field& field : fields_) columns_.push_back(with_note(field.column));
  }

  TypedColumn with_note(TypedColumn column) const {
    const auto note = source_.types.find(column.name);
    const bool is_time = column.type == CellType::kInstant || column.type == CellType::kLocalTime;
    if (note == source_.types.end() || !is_time) return column;
    if (!note->second.type_name.empty()) column.type_name = note->second.type_name;
    // A later version may have a type for it, which then comes as text.
    column.loses_time = note->second.loses_time;
    return column;
  }

  void open(const std::vector<std::size_t>& fields, const std::string& tail) {
    std::string expressions;
    for (const std::size_t i : fields) {
      // What cannot be used is not read either.
      const bool other = fields_[i].column.type == CellType::kOther;
      expressions +=
          fmt::format("{}{}", expressions.empty() ? "" : ", ", other ? "NULL" : fields_[i].expression);
    }
    rows_ = session_.rows(fmt::format("SELECT {} FROM {}{}", expressions, from_, tail));
  }

  /// The next rows; a result that has ended is not asked again.
  std::shared_ptr<const DuckdbChunk> fetched() {
    std::shared_ptr<const DuckdbChunk> chunk;
    if (rows_ != nullptr) explain([&] { chunk = rows_->next(); });
    if (chunk == nullptr) rows_.reset();
    return chunk;
  }

  std::shared_ptr<const DuckdbChunk> next_chunk() {
    if (looked_at_.empty()) return fetched();
    auto chunk = std::move(looked_at_.front());
    looked_at_.pop_front();
    return chunk;
  }

  bool take(TypedPiece& piece, const std::vector<std::size_t>& in_result, int64_t most) {
    piece.clear(in_result.size());
    piece.first_row = next_row_;
    while (piece.rows < most) {
      auto chunk = next_chunk();
      if (chunk == nullptr) break;
      append(piece, *chunk, wanted_.empty() ? in_result : wanted_, in_result);
      piece.owners.push_back(std::move(chunk));
    }
    next_row_ += piece.rows;
    return piece.rows > 0;
  }

  void append(TypedPiece& piece, const DuckdbChunk& chunk, const std::vector<std::size_t>& fields,
              const std::vector<std::size_t>& in_result) const {
    const auto before = static_cast<std::size_t>(piece.rows);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields_[fields[i]].column.type == CellType::kOther) continue;
      take_cells(fields_[fields[i]], chunk, in_result[i], before, piece.columns[i]);
    }
    piece.rows += static_cast<int64_t>(chunk.rows());
  }

  DuckdbSession& session_;
  DuckdbTableSource source_;
  std::string from_;
  bool is_unnested_ = false;
  std::string times_;  // the list of them
  std::vector<Field> fields_;
  std::vector<TypedColumn> columns_;
  std::unique_ptr<DuckdbRows> rows_;
  std::deque<std::shared_ptr<const DuckdbChunk>> looked_at_;
  std::vector<std::size_t> wanted_;
  std::vector<std::size_t> in_result_;  // of each wanted one
  int64_t next_row_ = 1;
};

}  // namespace

std::unique_ptr<TypedTable> open_duckdb_table(DuckdbSession& session, DuckdbTableSource source) {
  return std::make_unique<DuckdbTable>(session, std::move(source));
}

std::string parquet_pattern(const std::string& path) {
  std::string pattern = path.starts_with('~') ? "./" : "";
  for (const char c : path) {
    const bool special = c == '*' || c == '?' || c == '[';
    pattern += special ? fmt::format("[{}]", c) : std::string(1, c);
  }
  return pattern;
}

std::string parquet_source(const std::string& path) {
  return fmt::format("read_parquet({}, hive_types_autocast = false)", sql_text(parquet_pattern(path)));
}

}  // namespace t2v::data
