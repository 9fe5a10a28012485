#include "data/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace t2v::data {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

/// Copied to memory of its own, so that a sanitizer sees reads beyond the end.
std::vector<char> copied(std::string_view text) { return {text.begin(), text.end()}; }

NumberFault decimal(std::string_view text, Decimal& out) {
  const std::vector<char> bytes = copied(text);
  return parse_decimal({bytes.data(), bytes.size()}, out);
}

void expect_decimal(std::string_view text, int64_t mantissa, int decimals) {
  Decimal number{-77, -77};
  ASSERT_EQ(decimal(text, number), NumberFault::kNone) << text;
  EXPECT_EQ(number, (Decimal{mantissa, decimals})) << text << " read as " << to_text(number);
}

void expect_fault(std::string_view text, NumberFault fault) {
  Decimal number{-77, -77};
  EXPECT_EQ(decimal(text, number), fault) << text;
  EXPECT_EQ(number, (Decimal{-77, -77})) << text;
}

double double_of(std::string_view text) {
  const std::vector<char> bytes = copied(text);
  double number = -77;
  EXPECT_EQ(parse_double({bytes.data(), bytes.size()}, number), NumberFault::kNone) << text;
  return number;
}

TEST(Decimal, IsReadAsItIsWritten) {
  expect_decimal("0", 0, 0);
  expect_decimal("7", 7, 0);
  expect_decimal("-7", -7, 0);
  expect_decimal("+7", 7, 0);
  expect_decimal("007", 7, 0);
  expect_decimal("1.5", 15, 1);
  expect_decimal("-1.50", -150, 2);
  expect_decimal(".5", 5, 1);
  expect_decimal("5.", 5, 0);
  expect_decimal("-0", 0, 0);
  expect_decimal("0.000", 0, 3);
  expect_decimal("1609459200", 1609459200, 0);
  expect_decimal("1609459200.123", 1609459200123, 3);
  expect_decimal("1609459200.123456789", 1609459200123456789, 9);
  expect_decimal("1609459200123456789", 1609459200123456789, 0);
}

TEST(Decimal, HasDigitsOfAnyNumberInTheirPlaces) {
  const std::string digits = "123456789123456789";
  for (std::size_t size = 1; size <= digits.size(); ++size) {
    const std::string whole = digits.substr(0, size);
    const int64_t value = std::stoll(whole);
    expect_decimal(whole, value, 0);
    expect_decimal("-" + whole, -value, 0);
    for (std::size_t point = 0; point <= size; ++point) {
      std::string text = whole;
      text.insert(point, 1, '.');
      expect_decimal(text, value, static_cast<int>(size - point));
      expect_decimal(text + "e0", value, static_cast<int>(size - point));
      expect_decimal("000000000000" + text, value, static_cast<int>(size - point));
    }
  }
}

TEST(Decimal, TakesExponents) {
  expect_decimal("1e5", 100000, 0);
  expect_decimal("1E+5", 100000, 0);
  expect_decimal("1.5e1", 15, 0);
  expect_decimal("1.5e3", 1500, 0);
  expect_decimal("1.25e1", 125, 1);
  expect_decimal("25e-3", 25, 3);
  expect_decimal("1.609459200123e9", 1609459200123, 3);
  expect_decimal("-2.5E-10", -25, 11);
  expect_decimal("1e18", 1000000000000000000, 0);
  expect_decimal("1e19", 1, -19);  // does not fit without
  expect_decimal("12e18", 12, -18);
  expect_decimal("9e18", 9000000000000000000, 0);
  expect_decimal("0e999999999999", 0, 0);
  expect_decimal("0e-999999999999", 0, 0);
  expect_decimal("1e-100", 1, 100);
  expect_decimal("1e100", 1, -100);
}

TEST(Decimal, IsExactUpToTheLastNumberOfSixtyFourBits) {
  expect_decimal("9223372036854775807", kMost, 0);
  expect_decimal("-9223372036854775808", kLeast, 0);
  expect_decimal("0.9223372036854775807", kMost, 19);
  expect_decimal("-9.223372036854775808", kLeast, 18);
  expect_decimal("92233720368547758070e-1", kMost, 0);
  expect_fault("9223372036854775808", NumberFault::kOverflow);
  expect_fault("-9223372036854775809", NumberFault::kOverflow);
  expect_fault("18446744073709551617", NumberFault::kOverflow);  // 2^64 + 1
  expect_fault("99999999999999999999", NumberFault::kOverflow);
  expect_fault("1.00000000000000000001", NumberFault::kOverflow);
  expect_fault("1000000000000000000000000000000000000000000001", NumberFault::kOverflow);
  expect_fault("0.1000000000000000055511151231257827", NumberFault::kOverflow);
}

TEST(Decimal, LeavesOutZerosAtTheEndThatDoNotFit) {
  expect_decimal("1.0000000000000000000000000000", 1, 0);
  expect_decimal("10.0000000000000000000000000000", 10, 0);
  expect_decimal("1.50000000000000000000000000000", 15, 1);
  expect_decimal("9223372036854775807.000", kMost, 0);
  expect_decimal("12000000000000000000", 12, -18);
  expect_decimal("0.0000000000000000000000000000010", 10, 31);
}

TEST(Decimal, IsRefusedOutsideOfItsBoundsOfDecimals) {
  expect_fault("1e101", NumberFault::kOverflow);
  expect_fault("1e-101", NumberFault::kOverflow);
  expect_fault("1e-99999999999999999999", NumberFault::kOverflow);
  expect_fault("1e99999999999999999999", NumberFault::kOverflow);
}

TEST(Decimal, IsRefusedWithTheReason) {
  expect_fault("", NumberFault::kEmpty);
  for (const char* text : {"-",
                           "+",
                           ".",
                           "-.",
                           "e5",
                           ".e5",
                           "1e",
                           "1e+",
                           "1e5.",
                           "1.2.3",
                           "--1",
                           "+-1",
                           "1-",
                           "abc",
                           "1a",
                           " 1",
                           "1 ",
                           "12345678a",
                           "1234567890123456x",
                           "12345678.x",
                           "1,234,567",
                           "1.234,5",
                           ",",
                           "1,",
                           "2021-01-01",
                           "1_000",
                           "information",
                           "nanx",
                           "1:2",
                           "/",
                           "123456789/",
                           "12345678:",
                           "\xB2"}) {
    expect_fault(text, NumberFault::kSyntax);
  }
  expect_fault(std::string_view("12\0", 3), NumberFault::kSyntax);
  for (const char* text : {"1,5", "-1,5", ",5", "1234567890,123", "1,5e3"}) {
    expect_fault(text, NumberFault::kDecimalComma);
  }
  for (const char* text : {"0x1F", "0X1", "-0x1p3"}) expect_fault(text, NumberFault::kHex);
  for (const char* text : {"nan", "NaN", "-nan", "inf", "+Inf", "-INFINITY"}) {
    expect_fault(text, NumberFault::kNotFinite);
  }
}

TEST(Decimal, RefusesEveryOtherByteInEveryPlace) {
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      for (int c = 0; c < 256; ++c) {
        const char character = static_cast<char>(c);
        if ((c >= '0' && c <= '9') || character == '.' || character == '-' || character == '+' ||
            (character | 0x20) == 'e') {
          continue;
        }
        std::string text(size, '1');
        text[place] = character;
        Decimal number;
        double real = 0;
        ASSERT_NE(parse_decimal(text, number), NumberFault::kNone) << text << ' ' << c;
        ASSERT_NE(parse_double(text, real), NumberFault::kNone) << text << ' ' << c;
      }
    }
  }
}

TEST(Decimal, IsWrittenOut) {
  EXPECT_EQ(to_text({150, 2}), "1.50");
  EXPECT_EQ(to_text({-5, 3}), "-0.005");
  EXPECT_EQ(to_text({5, 0}), "5");
  EXPECT_EQ(to_text({12, -3}), "12e3");
  EXPECT_EQ(to_text({kLeast, 0}), "-9223372036854775808");
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto mantissa = static_cast<int64_t>(random.next64() >> random.below(64));
    const auto decimals = static_cast<int>(random.below(25));
    const Decimal number{random.below(2) == 0 ? mantissa : -mantissa, decimals};
    Decimal back;
    ASSERT_EQ(parse_decimal(to_text(number), back), NumberFault::kNone);
    ASSERT_EQ(back, number) << to_text(number);
  }
}

TEST(Double, IsTheNearestOne) {
  EXPECT_EQ(double_of("0.1"), 0.1);
  EXPECT_EQ(double_of("+1.5"), 1.5);
  EXPECT_EQ(double_of(".5"), 0.5);
  EXPECT_EQ(double_of("5."), 5.0);
  EXPECT_EQ(double_of("9007199254740993"), 9007199254740992.0);  // a tie goes to even
  EXPECT_EQ(double_of("9007199254740995"), 9007199254740996.0);
  EXPECT_EQ(double_of("9007199254740993.0000000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(double_of("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(double_of("2.2250738585072011e-308"), 2.2250738585072011e-308);
  EXPECT_EQ(double_of("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::signbit(double_of("-0")));
  EXPECT_TRUE(std::signbit(double_of("-0.0e5")));
  EXPECT_FALSE(std::signbit(double_of("0")));
}

TEST(Double, AgreesWithTheCLibrary) {
  Random random(2);
  for (int i = 0; i < 50000; ++i) {
    std::string text = random.below(2) == 0 ? "-" : "";
    const std::size_t digits = 1 + random.below(25);
    for (std::size_t d = 0; d < digits; ++d) text += static_cast<char>('0' + random.below(10));
    if (random.below(4) > 0) text.insert(text.size() - random.below(digits + 1), 1, '.');
    if (random.below(4) == 0) text += "e" + std::to_string(static_cast<int>(random.below(640)) - 320);
    const double expected = std::strtod(text.c_str(), nullptr);
    double number = 0;
    const NumberFault fault = parse_double(text, number);
    ASSERT_EQ(fault, std::isinf(expected) ? NumberFault::kOverflow : NumberFault::kNone) << text;
    if (fault == NumberFault::kNone) {
      ASSERT_EQ(number, expected) << text;
    }
  }
}

TEST(Double, BecomesZeroIfTooSmallAndIsRefusedIfTooLarge) {
  for (const char* text : {"1e-400", "-1e-400", "2.4e-324", "0.1e-99999999999", "1000e-500", "0e999",
                           "0.0000000000000000000000000e99999"}) {
    EXPECT_EQ(double_of(text), 0.0) << text;
  }
  EXPECT_TRUE(std::signbit(double_of("-1e-400")));
  for (const std::string& text : {std::string("1e309"), std::string("-1e309"), std::string("0.001e312"),
                                  std::string("1e99999999999999"), std::string(400, '9')}) {
    double number = -77;
    EXPECT_EQ(parse_double(text, number), NumberFault::kOverflow) << text;
    EXPECT_EQ(number, -77);
  }
  EXPECT_EQ(double_of("0." + std::string(400, '0') + "1"), 0.0);
}

TEST(Double, IsRefusedWithTheReason) {
  const std::vector<std::pair<const char*, NumberFault>> cases = {
      {"", NumberFault::kEmpty},      {"x", NumberFault::kSyntax},      {"+-1", NumberFault::kSyntax},
      {"-+1", NumberFault::kSyntax},  {"1.5x", NumberFault::kSyntax},   {"1e", NumberFault::kSyntax},
      {"1 ", NumberFault::kSyntax},   {".", NumberFault::kSyntax},      {"1,5", NumberFault::kDecimalComma},
      {"0x10", NumberFault::kHex},    {"nan", NumberFault::kNotFinite}, {"-inf", NumberFault::kNotFinite},
      {"1e5,", NumberFault::kSyntax}, {"nan(1)", NumberFault::kSyntax}, {"1,2,3", NumberFault::kSyntax},
  };
  for (const auto& [text, fault] : cases) {
    double number = -77;
    EXPECT_EQ(parse_double(text, number), fault) << text;
    EXPECT_EQ(number, -77) << text;
  }
}

TEST(NumberFault, IsExplained) {
  EXPECT_STREQ(explain(NumberFault::kNone), "");
  EXPECT_STREQ(explain(NumberFault::kSyntax), "is not a number");
  EXPECT_NE(std::string(explain(NumberFault::kDecimalComma)).find("write a point"), std::string::npos);
  for (const NumberFault fault :
       {NumberFault::kEmpty, NumberFault::kHex, NumberFault::kOverflow, NumberFault::kNotFinite}) {
    EXPECT_NE(std::string(explain(fault)).find("; "), std::string::npos);
  }
}

}  // namespace
}  // namespace t2v::data
