#include "arrow.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrow_abi.h"
#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::python {
namespace {

using Kind = Column::Kind;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 86400 * kSecond;

/// Buffer i of an array, whose first element is that of its offset.
template <class T>
const T* buffer(const ArrowArray& array, int64_t i) {
  return array.n_buffers > i ? static_cast<const T*>(array.buffers[i]) : nullptr;
}

bool bit(const uint8_t* bits, int64_t i) { return (bits[i / 8] >> (i % 8) & 1) != 0; }

bool is_null(const ArrowArray& array, int64_t row) {
  const auto* valid = buffer<uint8_t>(array, 0);
  return array.null_count != 0 && valid != nullptr && !bit(valid, array.offset + row);
}

// --- texts: three layouts ---

template <class Offset>
std::string_view text_by_offsets(const ArrowArray& array, int64_t row) {
  const auto* offsets = buffer<Offset>(array, 1) + array.offset + row;
  const auto size = static_cast<std::size_t>(offsets[1] - offsets[0]);
  return size == 0 ? std::string_view() : std::string_view(buffer<char>(array, 2) + offsets[0], size);
}

/// A view: 4 bytes of size; then up to 12 bytes of text, or 4 bytes of it, number of a buffer and offset.
std::string_view text_by_view(const ArrowArray& array, int64_t row) {
  const char* view = buffer<char>(array, 1) + 16 * (array.offset + row);
  int32_t size = 0;
  std::memcpy(&size, view, 4);
  if (size <= 12) return {view + 4, static_cast<std::size_t>(size)};
  int32_t place[2];
  std::memcpy(place, view + 8, 8);
  return {buffer<char>(array, 2 + place[0]) + place[1], static_cast<std::size_t>(size)};
}

using TextAt = std::string_view (*)(const ArrowArray& array, int64_t row);

TextAt text_layout(std::string_view format) {
  if (format == "u") return text_by_offsets<int32_t>;
  if (format == "U") return text_by_offsets<int64_t>;
  if (format == "vu") return text_by_view;
  return nullptr;
}

// --- numbers ---

template <class T>
int64_t whole_at(const ArrowArray& array, int64_t row) {
  const T number = buffer<T>(array, 1)[array.offset + row];
  if constexpr (sizeof(T) == 8 && !std::is_signed_v<T>) {
    if (number > static_cast<T>(std::numeric_limits<int64_t>::max())) {
      fail("a whole number is {}, beyond the largest of 64 bits with a sign", number);
    }
  }
  return static_cast<int64_t>(number);
}

int64_t bool_at(const ArrowArray& array, int64_t row) {
  return bit(buffer<uint8_t>(array, 1), array.offset + row) ? 1 : 0;
}

template <class T>
double number_at(const ArrowArray& array, int64_t row) {
  return static_cast<double>(buffer<T>(array, 1)[array.offset + row]);
}

/// Of 16 bits: sign, 5 bits of exponent, 10 of fraction.
double half_at(const ArrowArray& array, int64_t row) {
  const unsigned bits = buffer<uint16_t>(array, 1)[array.offset + row];
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  double size = 0;
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

/// How the elements of a column are read; one of the functions is there.
struct Reader {
  Kind kind = Kind::kOther;
  int64_t (*whole)(const ArrowArray& array, int64_t row) = nullptr;
  double (*number)(const ArrowArray& array, int64_t row) = nullptr;
  TextAt text = nullptr;
  int64_t nanoseconds = 1;  // of a unit of an instant
  bool single = false;
};

Reader whole_reader(char format) {
  switch (format) {
    case 'c':
      return {.kind = Kind::kWhole, .whole = whole_at<int8_t>};
    case 'C':
      return {.kind = Kind::kWhole, .whole = whole_at<uint8_t>};
    case 's':
      return {.kind = Kind::kWhole, .whole = whole_at<int16_t>};
    case 'S':
      return {.kind = Kind::kWhole, .whole = whole_at<uint16_t>};
    case 'i':
      return {.kind = Kind::kWhole, .whole = whole_at<int32_t>};
    case 'I':
      return {.kind = Kind::kWhole, .whole = whole_at<uint32_t>};
    case 'l':
      return {.kind = Kind::kWhole, .whole = whole_at<int64_t>};
    case 'L':
      return {.kind = Kind::kWhole, .whole = whole_at<uint64_t>};
    default:
      return {};
  }
}

/// Timestamps are "tsn:" and the name of a zone, which does not matter: they count from 1970 in UTC. Those
/// without a zone are taken for UTC.
Reader instant_reader(std::string_view format) {
  Reader reader{.kind = Kind::kInstant, .whole = whole_at<int64_t>};
  if (format.starts_with("tss:")) {
    reader.nanoseconds = kSecond;
  } else if (format.starts_with("tsm:")) {
    reader.nanoseconds = kSecond / 1000;
  } else if (format.starts_with("tsu:")) {
    reader.nanoseconds = 1000;
  } else if (format.starts_with("tsn:")) {
    reader.nanoseconds = 1;
  } else if (format == "tdm") {
    reader.nanoseconds = kSecond / 1000;
  } else if (format == "tdD") {
    reader.whole = whole_at<int32_t>;
    reader.nanoseconds = kDay;
  } else {
    return {};
  }
  return reader;
}

Reader reader_of(std::string_view format) {
  if (const TextAt text = text_layout(format)) return {.kind = Kind::kName, .text = text};
  if (format.starts_with("t")) return instant_reader(format);
  if (format.size() != 1) return {};
  switch (format[0]) {
    case 'b':
      return {.kind = Kind::kWhole, .whole = bool_at};
    case 'e':
      return {.kind = Kind::kNumber, .number = half_at, .single = true};
    case 'f':
      return {.kind = Kind::kNumber, .number = number_at<float>, .single = true};
    case 'g':
      return {.kind = Kind::kNumber, .number = number_at<double>};
    default:
      return whole_reader(format[0]);
  }
}

// --- columns ---

void append_wholes(Column& column, const ArrowArray& array, const Reader& reader) {
  for (int64_t row = 0; row < array.length; ++row) {
    int64_t whole = 0;
    if (is_null(array, row)) {
      column.add_absent(column.wholes.size());
    } else if (__builtin_mul_overflow(reader.whole(array, row), reader.nanoseconds, &whole)) {
      fail("a time in column '{}' is outside of the years 1677 to 2262", shown(column.name));
    }
    column.wholes.push_back(whole);
  }
}

void append_numbers(Column& column, const ArrowArray& array, const Reader& reader) {
  for (int64_t row = 0; row < array.length; ++row) {
    column.numbers.push_back(is_null(array, row) ? std::numeric_limits<double>::quiet_NaN()
                                                 : reader.number(array, row));
  }
}

void append_names(Column& column, const ArrowArray& array, const Reader& reader) {
  for (int64_t row = 0; row < array.length; ++row) {
    column.codes.push_back(column.names.add(is_null(array, row) ? "" : reader.text(array, row)));
  }
}

/// The names of a dictionary, then a name for each row. A batch may have another dictionary than the last.
void append_coded(Column& column, const ArrowArray& array, const Reader& index, const Reader& values) {
  if (array.dictionary == nullptr) fail("the column '{}' lacks its dictionary", shown(column.name));
  const ArrowArray& dictionary = *array.dictionary;
  std::vector<int32_t> code_of(static_cast<std::size_t>(dictionary.length), -1);
  for (int64_t row = 0; row < array.length; ++row) {
    const int64_t entry = is_null(array, row) ? -1 : index.whole(array, row);
    if (entry >= dictionary.length || entry < -1) {
      fail("the column '{}' has the index {} into a dictionary of {}", shown(column.name), entry,
           dictionary.length);
    }
    if (entry < 0 || is_null(dictionary, entry)) {
      column.codes.push_back(column.names.add(""));
      continue;
    }
    int32_t& code = code_of[static_cast<std::size_t>(entry)];
    if (code < 0) {
      code = column.names.add(values.text != nullptr ? std::string(values.text(dictionary, entry))
                                                     : fmt::format("{}", values.whole(dictionary, entry)));
    }
    column.codes.push_back(code);
  }
}

/// A column and how batches are added to it.
class ColumnReader {
 public:
  explicit ColumnReader(const ArrowSchema& schema) : reader_(reader_of(schema.format)) {
    column_.name = schema.name != nullptr ? schema.name : "";
    column_.other = fmt::format("of the Arrow type '{}'", shown(schema.format));
    if (schema.dictionary != nullptr) {
      values_ = reader_of(schema.dictionary->format);
      const bool named = values_->kind == Kind::kName || values_->kind == Kind::kWhole;
      column_.kind = named && reader_.kind == Kind::kWhole ? Kind::kName : Kind::kOther;
    } else {
      column_.kind = reader_.kind;
    }
    column_.single = reader_.single;
  }

  void append(const ArrowArray& array) {
    if (column_.kind == Kind::kOther) {
      column_.other_rows += array.length;
    } else if (values_) {
      append_coded(column_, array, reader_, *values_);
    } else if (column_.kind == Kind::kName) {
      append_names(column_, array, reader_);
    } else if (column_.kind == Kind::kNumber) {
      append_numbers(column_, array, reader_);
    } else {
      append_wholes(column_, array, reader_);
    }
  }

  Column take() { return std::move(column_); }

 private:
  Reader reader_;
  std::optional<Reader> values_;  // of a dictionary
  Column column_;
};

void check(ArrowArrayStream& stream, int status) {
  if (status == 0) return;
  const char* what = stream.get_last_error(&stream);
  fail("the Arrow stream fails: {}", what != nullptr ? what : std::strerror(status));
}

}  // namespace

Table read_arrow_stream(const pybind11::capsule& capsule) {
  constexpr const char* kName = "arrow_array_stream";
  if (capsule.name() == nullptr || std::string_view(capsule.name()) != kName) {
    fail("__arrow_c_stream__ gave no capsule '{}'", kName);
  }
  auto& stream = *capsule.get_pointer<ArrowArrayStream>();
  if (stream.release == nullptr) fail("the Arrow stream was read before; ask for a new one");
  Released<ArrowSchema> schema;
  check(stream, stream.get_schema(&stream, &schema));
  if (std::string_view(schema.format) != "+s") {
    fail("the Arrow stream is not one of a table: its type is '{}'", shown(schema.format));
  }
  std::vector<ColumnReader> readers;
  for (int64_t i = 0; i < schema.n_children; ++i) readers.emplace_back(*schema.children[i]);
  while (true) {
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    Released<ArrowArray> batch;
    check(stream, stream.get_next(&stream, &batch));
    if (batch.release == nullptr) break;
    if (batch.offset != 0) fail("the Arrow stream has a batch that starts at row {}, not 0", batch.offset);
    for (std::size_t i = 0; i < readers.size(); ++i) {
      if (batch.children[i]->length != batch.length) fail("the columns of an Arrow batch differ in length");
      readers[i].append(*batch.children[i]);
    }
  }
  Table table;
  for (ColumnReader& reader : readers) table.add(reader.take());
  return table;
}

}  // namespace t2v::python
