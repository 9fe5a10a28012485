// What a person is told about a bad table: one line with the place, what was seen and what to do.

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <sstream>

#include "data/importer_files.h"
#include "data/table_reader.h"

namespace t2v::data {
namespace {

using namespace std::string_view_literals;

ThreadPool& pool() {
  static ThreadPool threads(2);
  return threads;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

/// Options in short: "features=a,b order=strict skip".
TableOptions options_of(const std::string& text) {
  TableOptions options;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const std::string name = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), name.size() + 1));
    if (name == "skip") options.skip_bad_rows = true;
    if (name == "order") options.order = Order::kStrict;
    if (name == "features") options.features = split(value);
    if (name == "sequence_features") options.sequence_features = split(value);
    if (name == "categories") options.categories = split(value);
    for (auto [option, field] : {std::pair{"id", &options.id},
                                 {"time", &options.time},
                                 {"value", &options.value},
                                 {"target", &options.target},
                                 {"zone", &options.timezone},
                                 {"unit", &options.time_unit},
                                 {"header", &options.header},
                                 {"format", &options.format},
                                 {"separator", &options.separator}}) {
      if (name == option) *field = value;
    }
  }
  return options;
}

EventTable read(const std::string& path, const std::string& options, ReadReport& report) {
  return read_tables({{path}}, options_of(options), pool(), report);
}

std::string message_of(const std::string& path, const std::string& options = "") {
  ReadReport report;
  return complaint([&] { read(path, options, report); });
}

// What to do, or what is wrong and what to do.
constexpr const char* kNotANumber = "is not a number; correct it or leave it empty";
constexpr const char* kNotATimeNumber =
    "is not a number, as the first time is; write all times in the same way";
constexpr const char* kNotATime =
    "is not a time; write it as 2021-03-28 14:05:09.250, with Z or +01:00 after it if need be, or as a "
    "number";
constexpr const char* kNotFinite = "is not a finite number; leave it empty if there is no value";
constexpr const char* kComma = "has a decimal comma; write a point, and no separators of thousands";
constexpr const char* kHex = "is hexadecimal; write it as a decimal number";
constexpr const char* kTooLarge =
    "is too large or has more digits than can be kept; round it, or use a larger unit";
constexpr const char* kNoDate = "has a date that does not exist; the order is year, month, day";
constexpr const char* kNoTimeOfDay =
    "has a time of day that does not exist; hours go from 00 to 23, minutes and seconds to 59";
constexpr const char* kNoOffset =
    "has an offset from UTC that does not exist; offsets go from -23:59 to +23:59";
constexpr const char* kTooFine = "is finer than a nanosecond; round it to 9 decimals of a second";
constexpr const char* kRange = "is outside of the years 1677 to 2262, which 64 bits of nanoseconds hold";
constexpr const char* kNoTime = "is empty; a time is needed here";
constexpr const char* kNoId = "is empty; every event needs the id of its sequence";
constexpr const char* kRagged =
    "give every row as many fields as the first; quote fields that hold the separator";
constexpr const char* kNul = "take it out; is this a text file?";
constexpr const char* kUtf8 = "save the file as UTF-8";
constexpr const char* kUnclosed = "close it, or double a quote that is meant as a character";
constexpr const char* kAfterQuote = "double a quote that is meant as a character";
constexpr const char* kBackwards =
    "runs backwards within its sequence; sort the table, or use --order sort or --order drop";
constexpr const char* kDiffers =
    "differs from an earlier row of the same sequence; a sequence has one of them";
constexpr const char* kOneObject = "write one object a line: {\"user_id\": \"a\", \"time\": 1, ...}";
constexpr const char* kNoRow = "there is no row; write a row of names, then a row for each event";

struct Case {
  const char* name;
  std::string_view content;
  const char* options;
  const char* message;  // after the path
  const char* advice;   // after the message
};

const std::vector<Case> kCases = {
    {"ShortFirstRow", "id,time,value\na,1\nb,2,3\n"sv, "", ":2:1: the row has too few fields ('a,1'); ",
     kRagged},
    {"ShortRowInTheMiddle", "id,time,value\na,1,2\nb,2\nc,3,4\n"sv, "",
     ":3:1: the row has too few fields ('b,2'); ", kRagged},
    {"ShortLastRowWithoutLineEnd", "id,time,value\na,1,2\nb,2"sv, "",
     ":3:1: the row has too few fields ('b,2'); ", kRagged},
    {"LongFirstRow", "id,time,value\na,1,2,3\n"sv, "", ":2:1: the row has too many fields ('a,1,2,3'); ",
     kRagged},
    {"LongRowInTheMiddle", "id,time,value\na,1,2\nb,2,3,4,5\nc,3,4\n"sv, "",
     ":3:1: the row has too many fields ('b,2,3,4,5'); ", kRagged},
    {"LongRowByASeparatorAtItsEnd", "id,time,value\na,1,2,\n"sv, "",
     ":2:1: the row has too many fields ('a,1,2,'); ", kRagged},
    {"ShortRowAfterAQuotedNewline", "id,time,note\na,1,\"x\ny\"\nb,2\n"sv, "",
     ":4:1: the row has too few fields ('b,2'); ", kRagged},
    {"LongRowAfterTwoQuotedNewlines", "id,time,note\na,1,\"\r\n\n\"\nb,2,3,4\n"sv, "",
     ":5:1: the row has too many fields ('b,2,3,4'); ", kRagged},
    {"RaggedRowThatHoldsAQuotedNewline", "id,time,note\na,1,n\nb,\"x\ny\"\n"sv, "",
     ":3:1: the row has too few fields ('b,\"x'); ", kRagged},
    {"RowOfBlanks", "id,time,value\na,1,2\n   \n"sv, "", ":3:1: the row has too few fields ('   '); ",
     kRagged},
    {"RowOfOtherSeparators", "id,time,value\na;1;2\n"sv, "", ":2:1: the row has too few fields ('a;1;2'); ",
     kRagged},
    {"RaggedRowIsShownInPart", "id,time,value\naaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee,1\n"sv, "",
     ":2:1: the row has too few fields ('aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...'); ", kRagged},
    {"ValueWord", "id,time,value\na,1,abc\n"sv, "", ":2:5: value 'abc' ", kNotANumber},
    {"ValueQuotedDecimalComma", "id,time,value\na,1,\"1,5\"\n"sv, "", ":2:6: value '1,5' ", kComma},
    {"ValueHexadecimal", "id,time,value\na,1,0x1F\n"sv, "", ":2:5: value '0x1F' ", kHex},
    {"ValueTooLarge", "id,time,value\na,1,1e999\n"sv, "", ":2:5: value '1e999' ", kTooLarge},
    {"ValueNaN", "id,time,value\na,1,NaN\n"sv, "", ":2:5: value 'NaN' ", kNotFinite},
    {"ValueInf", "id,time,value\na,1,Inf\n"sv, "", ":2:5: value 'Inf' ", kNotFinite},
    {"ValueMinusInfinity", "id,time,value\na,1,-inf\n"sv, "", ":2:5: value '-inf' ", kNotFinite},
    {"ValueUnderscores", "id,time,value\na,1,1_000\n"sv, "", ":2:5: value '1_000' ", kNotANumber},
    {"ValueTwoNumbers", "id,time,value\na,1,1 2\n"sv, "", ":2:5: value '1 2' ", kNotANumber},
    {"ValueOtherDigits", "id,time,value\na,1,\xD9\xA3\n"sv, "", ":2:5: value '٣' ", kNotANumber},
    {"ValueTwoPoints", "id,time,value\na,1,1.2.3\n"sv, "", ":2:5: value '1.2.3' ", kNotANumber},
    {"ValueLoneSign", "id,time,value\na,1,-\n"sv, "", ":2:5: value '-' ", kNotANumber},
    {"ValueLoneExponent", "id,time,value\na,1,1e\n"sv, "", ":2:5: value '1e' ", kNotANumber},
    {"ValuePercent", "id,time,value\na,1,5%\n"sv, "", ":2:5: value '5%' ", kNotANumber},
    {"ValueNewline", "id,time,value\na,1,\"1\n2\"\n"sv, "", ":2:6: value '1\\x0a2' ", kNotANumber},
    {"FeatureDecimalComma", "id,time,f\na,1,\"1,5\"\n"sv, "features=f", ":2:6: f '1,5' ", kComma},
    {"FeatureNaN", "id,time,f\na,1,nan\n"sv, "features=f", ":2:5: f 'nan' ", kNotFinite},
    {"FeatureTooLarge", "id,time,f\na,1,-1e999\n"sv, "features=f", ":2:5: f '-1e999' ", kTooLarge},
    {"TargetWord", "id,time,y\na,1,big\n"sv, "target=y", ":2:5: y 'big' ", kNotANumber},
    {"TargetHexadecimal", "id,time,y\na,1,0x10\n"sv, "target=y", ":2:5: y '0x10' ", kHex},
    {"TargetInfinity", "id,time,y\na,1,1\na,2,Infinity\n"sv, "target=y", ":3:5: y 'Infinity' ", kNotFinite},
    {"SequenceFeatureNaN", "id,time,g\na,1,nan\n"sv, "sequence_features=g", ":2:5: g 'nan' ", kNotFinite},
    {"TimeMonth13", "id,time\na,2021-03-28 14:05:09\nb,2021-13-01\n"sv, "", ":3:3: time '2021-13-01' ",
     kNoDate},
    {"TimeFebruary30", "id,time\na,2021-03-28 14:05:09\nb,2021-02-30\n"sv, "", ":3:3: time '2021-02-30' ",
     kNoDate},
    {"TimeFebruary29OfAPlainYear", "id,time\na,2021-03-28 14:05:09\nb,2100-02-29 10:00\n"sv, "",
     ":3:3: time '2100-02-29 10:00' ", kNoDate},
    {"TimeHour25", "id,time\na,2021-03-28 14:05:09\nb,2021-01-01 25:00\n"sv, "",
     ":3:3: time '2021-01-01 25:00' ", kNoTimeOfDay},
    {"TimeHour24", "id,time\na,2021-03-28 14:05:09\nb,2021-01-01 24:00:00\n"sv, "",
     ":3:3: time '2021-01-01 24:00:00' ", kNoTimeOfDay},
    {"TimeMinute60", "id,time\na,2021-03-28 14:05:09\nb,2021-01-01 12:60\n"sv, "",
     ":3:3: time '2021-01-01 12:60' ", kNoTimeOfDay},
    {"TimeSecond60", "id,time\na,2021-03-28 14:05:09\nb,2016-12-31T23:59:60Z\n"sv, "",
     ":3:3: time '2016-12-31T23:59:60Z' is a leap second, which Unix time does not count; write second 59 or "
     "the next second 00",
     ""},
    {"TimeOffset25", "id,time\na,2021-03-28 14:05:09\nb,2021-01-01T00:00:00+25:00\n"sv, "",
     ":3:3: time '2021-01-01T00:00:00+25:00' ", kNoOffset},
    {"TimeOffsetMinute60", "id,time\na,2021-03-28 14:05:09\nb,2021-01-01T00:00:00+01:60\n"sv, "",
     ":3:3: time '2021-01-01T00:00:00+01:60' ", kNoOffset},
    {"TimeFinerThanANanosecond", "id,time\na,2021-03-28 14:05:09\nb,2021-01-01T00:00:00.0123456789\n"sv, "",
     ":3:3: time '2021-01-01T00:00:00.0123456789' ", kTooFine},
    {"TimeBefore1677", "id,time\na,2021-03-28 14:05:09\nb,1600-01-01\n"sv, "", ":3:3: time '1600-01-01' ",
     kRange},
    {"TimeAfter2262", "id,time\na,2021-03-28 14:05:09\nb,2300-01-01\n"sv, "", ":3:3: time '2300-01-01' ",
     kRange},
    {"TimeOutOfRangeByItsZone", "id,time\na,2021-03-28\nb,2262-04-11 23:47:16\n"sv, "zone=America/New_York",
     ":3:3: time '2262-04-11 23:47:16' ", kRange},
    {"TimeNumberAmongDates", "id,time\na,2021-03-28 14:05:09\nb,1616940309\n"sv, "",
     ":3:3: time '1616940309' ", kNotATime},
    {"TimeDateAmongNumbers", "id,time\na,5\nb,2021-01-01\n"sv, "", ":3:3: time '2021-01-01' ",
     kNotATimeNumber},
    {"TimeDateAmongSeconds", "id,time\na,1616940309\nb,2021-01-01\n"sv, "", ":3:3: time '2021-01-01' ",
     kNotATimeNumber},
    {"TimeEmptyAmongDates", "id,time\na,2021-03-28 14:05:09\nb,\n"sv, "", ":3:3: time '' ", kNoTime},
    {"TimeEmptyAmongNumbers", "id,time\na,5\nb,\n"sv, "", ":3:3: time '' ", kNoTime},
    {"TimeEmptyAmongSeconds", "id,time\na,1616940309\nb,\n"sv, "", ":3:3: time '' ", kNoTime},
    {"TimeDecimalComma", "id,time\na,5\nb,\"1,5\"\n"sv, "", ":3:4: time '1,5' ", kComma},
    {"TimeHexadecimal", "id,time\na,5\nb,0x1F\n"sv, "", ":3:3: time '0x1F' ", kHex},
    {"TimeTooManyDigits", "id,time\na,5\nb,99999999999999999999\n"sv, "",
     ":3:3: time '99999999999999999999' ", kTooLarge},
    {"TimeTooLarge", "id,time\na,5\nb,1e30\n"sv, "", ":3:3: time '1e30' ", kTooLarge},
    {"TimeTooSmallAPart", "id,time\na,5\nb,1e-101\n"sv, "", ":3:3: time '1e-101' ", kTooLarge},
    {"TimeNaN", "id,time\na,5\nb,nan\n"sv, "",
     ":3:3: time 'nan' is not a finite number; a time is needed here", ""},
    {"TimeWord", "id,time\na,5\nb,soon\n"sv, "", ":3:3: time 'soon' ", kNotATimeNumber},
    {"TimeWordAmongDates", "id,time\na,2021-03-28 14:05:09\nb,soon\n"sv, "", ":3:3: time 'soon' ", kNotATime},
    {"TimeSecondsFinerThanANanosecond", "id,time\na,1616940309\nb,1616940309.0123456789\n"sv, "",
     ":3:3: time '1616940309.0123456789' ", kTooLarge},
    {"TimeSecondsOutOfRange", "id,time\na,1616940309\nb,99999999999\n"sv, "", ":3:3: time '99999999999' ",
     kRange},
    {"TimeMillisecondsOutOfRange", "id,time\na,0\nb,9223372036855\n"sv, "unit=ms",
     ":3:3: time '9223372036855' ", kRange},
    {"TimeAmericanDate", "id,time\na,2021-03-28 14:05:09\nb,03/28/2021\n"sv, "", ":3:3: time '03/28/2021' ",
     kNotATime},
    {"TimeDateWithABlankBeforeZ", "id,time\na,2021-03-28 14:05:09\nb,2021-01-01 10:00 Z\n"sv, "",
     ":3:3: time '2021-01-01 10:00 Z' ", kNotATime},
    {"TimeThatIsNoTimeAtAll", "id,time\na,soon\nb,later\n"sv, "", ":2:3: time 'soon' ", kNotATime},
    {"TimeEmptyAtTheVeryEnd", "id,time\na,1\nb,"sv, "", ":3:3: time '' ", kNoTime},
    {"EmptyId", "id,time\na,1\n,2\n"sv, "", ":3:1: id '' ", kNoId},
    {"EmptyQuotedId", "id,time\n\"\",1\n"sv, "", ":2:2: id '' ", kNoId},
    {"EmptyIdInAnotherPlace", "time,x,id\n1,2,\n"sv, "", ":2:5: id '' ", kNoId},
    {"NulInAnId", "id,time\na,1\nb\0c,2\n"sv, "", ":3:2: there is a NUL byte ('\\x00c,2'); ", kNul},
    {"NulInATime", "id,time\na,1\nb,2\0\n"sv, "", ":3:4: there is a NUL byte ('\\x00'); ", kNul},
    {"NulInAnUnusedColumn", "id,time,note\na,1,x\0y\n"sv, "", ":2:6: there is a NUL byte ('\\x00y'); ", kNul},
    {"NulAtTheStartOfARow", "id,time\n\0,1\n"sv, "", ":2:1: there is a NUL byte ('\\x00,1'); ", kNul},
    {"NulAtTheVeryEnd", "id,time\na,1\nb,2\0"sv, "", ":3:4: there is a NUL byte ('\\x00'); ", kNul},
    {"NulInTheHeader", "id,ti\0me\na,1\n"sv, "", ":1:6: there is a NUL byte ('\\x00me'); ", kNul},
    {"BadUtf8InAnId", "id,time\na\xFFz,1\n"sv, "", ":2:2: a byte is not UTF-8 ('\\xffz,1'); ", kUtf8},
    {"BadUtf8InAnUnusedColumn", "id,time,note\na,1,ok\nb,2,caf\xE9\n"sv, "",
     ":3:8: a byte is not UTF-8 ('\\xe9'); ", kUtf8},
    {"BadUtf8InTheHeader", "id,time,pr\xE9nom\na,1,x\n"sv, "", ":1:11: a byte is not UTF-8 ('\\xe9nom'); ",
     kUtf8},
    {"CutUtf8AtTheVeryEnd", "id,time\na,1\nb,2\xC3"sv, "", ":3:4: a byte is not UTF-8 ('\\xc3'); ", kUtf8},
    {"OverlongUtf8", "id,time\n\xC0\xAF,1\n"sv, "", ":2:1: a byte is not UTF-8 ('\\xc0\\xaf,1'); ", kUtf8},
    {"SurrogateInUtf8", "id,time\n\xED\xA0\x80,1\n"sv, "",
     ":2:1: a byte is not UTF-8 ('\\xed\\xa0\\x80,1'); ", kUtf8},
    {"BadUtf8WithinQuotes", "id,time,note\na,1,\"x\n\xFF\"\n"sv, "",
     ":3:1: a byte is not UTF-8 ('\\xff\"'); ", kUtf8},
    {"UnclosedQuoteInTheFirstRow", "id,time\n\"a,1\nb,2\n"sv, "",
     ":2:1: a quote is opened here that is never closed ('\"a,1'); ", kUnclosed},
    {"UnclosedQuoteInTheMiddle", "id,time\na,1\n\"b,2\nc,3\n"sv, "",
     ":3:1: a quote is opened here that is never closed ('\"b,2'); ", kUnclosed},
    {"UnclosedQuoteInTheLastRow", "id,time\na,1\nb,\"2"sv, "",
     ":3:3: a quote is opened here that is never closed ('\"2'); ", kUnclosed},
    {"UnclosedQuoteInTheHeader", "id,\"time\na,1\n"sv, "",
     ":1:4: a quote is opened here that is never closed ('\"time'); ", kUnclosed},
    {"UnclosedQuoteByADoubledOne", "id,time\n\"a\"\",1\n"sv, "",
     ":2:1: a quote is opened here that is never closed ('\"a\"\",1'); ", kUnclosed},
    {"TextAfterAClosingQuote", "id,time\n\"a\"b,1\n"sv, "",
     ":2:4: there is text after a closing quote ('b,1'); ", kAfterQuote},
    {"BlankAfterAClosingQuote", "id,time\n\"a\" ,1\n"sv, "",
     ":2:4: there is text after a closing quote (' ,1'); ", kAfterQuote},
    {"TextAfterAClosingQuoteInTheHeader", "id,\"ti\"me\na,1\n"sv, "",
     ":1:8: there is text after a closing quote ('me'); ", kAfterQuote},
    {"UnknownColumn", "id,time,price\na,1,2\n"sv, "features=pirce",
     ": there is no column 'pirce' (--features pirce); did you mean 'price'? the columns are 'id', 'time', "
     "'price'",
     ""},
    {"UnknownColumnUnlikeAll", "id,time,price\na,1,2\n"sv, "features=colour",
     ": there is no column 'colour' (--features colour); the columns are 'id', 'time', 'price'", ""},
    {"UnknownTimeColumn", "id,when\na,1\n"sv, "time=wehn",
     ": there is no column 'wehn' (--time wehn); did you mean 'when'? the columns are 'id', 'when'", ""},
    {"ColumnNumberTooLarge", "id,time\na,1\n"sv, "features=3",
     ": there is no column '3' (--features 3); the columns are 'id', 'time'", ""},
    {"ColumnNumberZero", "id,time\na,1\n"sv, "features=0",
     ": there is no column '0' (--features 0); the columns are 'id', 'time'", ""},
    {"NoIdColumn", "name,time\na,1\n"sv, "",
     ": no column for the id was found; the columns are 'name', 'time'; name one with --id (or --id - if all "
     "rows are one sequence)",
     ""},
    {"NoTimeColumn", "id,when\na,1\n"sv, "",
     ": no column for the time was found; the columns are 'id', 'when'; name one with --time", ""},
    {"TimeSaidToBeNone", "id,time\na,1\n"sv, "time=-",
     ": every event needs a time, but --time is '-'; name a column", ""},
    {"NoHeader", "a,5\nb,6\n"sv, "",
     ": no column for the id was found; the columns are 'a', '5'; name one with --id (or --id - if all rows "
     "are one sequence) (if the first row is data, give the columns by number: --id 1 --time 2 ...)",
     ""},
    {"NameWithoutAHeader", "a,5\nb,6\n"sv, "header=no id=1 time=when",
     ": there is no column 'when' (--time when); there are the columns 1 to 2", ""},
    {"ColumnTakenTwice", "id,time,price\na,1,2\n"sv, "value=price features=price",
     ": the column 'price' is taken as value and as feature; give it one of them", ""},
    {"ColumnGivenTwiceAsFeature", "id,time,f\na,1,2\n"sv, "features=f,f",
     ": the column 'f' is taken as feature and as feature; give it one of them", ""},
    {"CategoryThatIsNoFeature", "id,time,f\na,1,2\n"sv, "categories=f",
     ": the category 'f' is not among the features; name it there too", ""},
    {"CategoryThatIsTheId", "id,time,f\na,1,2\n"sv, "categories=id",
     ": the category 'id' is not among the features; name it there too", ""},
    {"HeaderWithANewlineInAName", "\"a\nb\",time\na,1\n"sv, "",
     ": no column for the id was found; the columns are 'a\\x0ab', 'time'; name one with --id (or --id - if "
     "all rows are one sequence)",
     ""},
    {"ManyColumns", "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,u,v,w\n"sv, "",
     ": no column for the id was found; the columns are 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', "
     "'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 'u' and 2 more; name one with --id (or --id - if all rows "
     "are one sequence)",
     ""},
    {"UnknownSeparator", "id,time\na,1\n"sv, "separator=comma",
     ": the separator must be one character, or 'tab'; it is 'comma'", ""},
    {"UnknownFormat", "id,time\na,1\n"sv, "format=xml", ": unknown format 'xml'; use one of auto, csv, jsonl",
     ""},
    {"UnknownHeader", "id,time\na,1\n"sv, "header=perhaps",
     ": unknown header 'perhaps'; use one of auto, yes, no", ""},
    {"UnknownUnit", "id,time\na,2021-01-01\n"sv, "unit=hours",
     ": unknown unit of time 'hours'; use one of s, ms, us, ns, number", ""},
    {"DatesRunBackwards", "id,time\na,2021-01-02\nb,2021-01-01\na,2021-01-01\n"sv, "order=strict",
     ":4:3: time '2021-01-01' ", kBackwards},
    {"DecimalsRunBackwards", "id,time\na,1.5\na,1.49\n"sv, "order=strict", ":3:3: time '1.49' ", kBackwards},
    {"DecimalsOfOtherLengthRunBackwards", "id,time\na,10\na,9.99999\n"sv, "order=strict",
     ":3:3: time '9.99999' ", kBackwards},
    {"LabelDiffers", "id,time,label\na,1,x\nb,1,y\na,2,y\n"sv, "", ":4:5: label 'y' ", kDiffers},
    {"LabelDiffersAfterAnEmptyOne", "id,time,label\na,1,\na,2,x\na,3,z\n"sv, "", ":4:5: label 'z' ",
     kDiffers},
    {"TargetDiffers", "id,time,y\na,1,1.5\na,2,1.50\na,3,2\n"sv, "target=y", ":4:5: y '2' ", kDiffers},
    {"SequenceFeatureDiffers", "id,time,g\na,1,red\na,2,blue\n"sv, "sequence_features=g", ":3:5: g 'blue' ",
     kDiffers},
    {"TheFirstBadRowCounts", "id,time,label,value\na,1,x,1\na,2,y,1\nb,3,x,abc\n"sv, "", ":3:5: label 'y' ",
     kDiffers},
    {"JsonLineIsNoJson", "{\"id\":\"a\",\"time\":1}\nid,time\n"sv, "",
     ":2:1: the line is not valid JSON ('id,time'); ", kOneObject},
    {"JsonFirstLineIsNoJson", "{id: 1}\n{\"id\":\"a\",\"time\":1}\n"sv, "",
     ":1:2: the line is not valid JSON ('id: 1}'); ", kOneObject},
    {"JsonLineIsAList", "{\"id\":\"a\",\"time\":1}\n[1,2]\n"sv, "",
     ":2:1: the line is not a JSON object ('[1,2]'); ", kOneObject},
    {"JsonLineIsANumber", "{\"id\":\"a\",\"time\":1}\n\n17\n"sv, "",
     ":3:1: the line is not a JSON object ('17'); ", kOneObject},
    {"JsonValueIsNested", "{\"id\":\"a\",\"time\":1}\n{\"id\":[\"a\"],\"time\":2}\n"sv, "",
     ":2:1: the line has a list or an object where a single value is needed "
     "('{\"id\":[\"a\"],\"time\":2}'); ",
     kOneObject},
    {"JsonValueIsAnObject", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":{\"s\":2}}\n"sv, "",
     ":2:1: the line has a list or an object where a single value is needed "
     "('{\"id\":\"a\",\"time\":{\"s\":2}}'); ",
     kOneObject},
    {"JsonKeyTwice", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":2,\"time\":3}\n"sv, "",
     ":2:1: the line has a key twice ('{\"id\":\"a\",\"time\":2,\"time\":3}'); ", kOneObject},
    {"JsonCutOff", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"ti"sv, "",
     ":2:14: the line is not valid JSON (''); ", kOneObject},
    {"JsonTimeIsMissing", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"b\"}\n"sv, "", ":2:1: time '' ", kNoTime},
    {"JsonTimeIsNull", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"b\",\"time\":null}\n"sv, "", ":2:1: time '' ",
     kNoTime},
    {"JsonIdIsMissing", "{\"id\":\"a\",\"time\":1}\n{\"time\":1}\n"sv, "", ":2:1: id '' ", kNoId},
    {"JsonTrailingText", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":2} x\n"sv, "",
     ":2:21: the line is not valid JSON ('x'); ", kOneObject},
    {"JsonNumberTooLarge", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":1e999}\n"sv, "",
     ":2:22: the line has a number that is too large ('9}'); ", kOneObject},
    {"JsonTimeIsAWord", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":\"x\"}\n"sv, "", ":2:1: time 'x' ",
     kNotATimeNumber},
    {"JsonTimeIsTrue", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":true}\n"sv, "",
     ":2:1: time 'true' ", kNotATimeNumber},
    {"JsonNul", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":2}\0{}\n"sv, "",
     ":2:20: there is a NUL byte ('\\x00{}'); ", kNul},
    {"JsonBadUtf8", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"\xFF\",\"time\":2}\n"sv, "",
     ":2:8: the line is not valid JSON ('\\xff\",\"time\":2}'); ", kOneObject},
    {"JsonNoTimeKeyAtAll", "{\"id\":\"a\"}\n"sv, "",
     ": no column for the time was found; the columns are 'id'; name one with --time", ""},
    {"JsonList", "[\n{\"id\":\"a\",\"time\":1}\n]\n"sv, "",
     ": this is a JSON list; write one object a line (jq -c '.[]' does it)", ""},
    {"JsonListSaidToBeLines", "[1]\n"sv, "format=jsonl", ":1:1: the line is not a JSON object ('[1]'); ",
     kOneObject},
    {"JsonNestedTooDeeply",
     "{\"id\":\"a\",\"time\":1}\n{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"sv,
     "", ":2:1: the line is nested too deeply ('{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[...'); ",
     kOneObject},
    {"EmptyFile", ""sv, "", ": the file is empty", ""},
    {"OnlyAHeader", "id,time\n"sv, "", ": there is no event", ""},
    {"OnlyBlankLines", "\n\r\n\n"sv, "", ": ", kNoRow},
    {"OnlyAMark", "\xEF\xBB\xBF"sv, "", ": ", kNoRow},
    {"Utf16Mark", "\xFF\xFEi\0d\0"sv, "", ": the file is UTF-16; save it as UTF-8", ""},
    {"Utf16BigMark", "\xFE\xFF\0i\0d"sv, "", ": the file is UTF-16; save it as UTF-8", ""},
    {"AllRowsSkipped", "id,time\na,x\nb\n"sv, "skip", ": there is no event; all 2 rows were skipped", ""},
    {"AfterBlankLines", "\n\nid,time,value\n\n\na,1,2\n\nb,1,x\n"sv, "", ":8:5: value 'x' ", kNotANumber},
    {"AfterCarriageReturnLineEnds", "id,time,value\r\na,1,2\r\nb,1,x\r\n"sv, "", ":3:5: value 'x' ",
     kNotANumber},
    {"AfterLoneCarriageReturns", "id,time,value\ra,1,2\rb,1,x\r"sv, "", ":3:5: value 'x' ", kNotANumber},
    {"AfterAMark", "\xEF\xBB\xBFid,time,value\na,1,x\n"sv, "", ":2:5: value 'x' ", kNotANumber},
    {"AfterQuotedLineEndsOfAllKinds", "id,time,note,value\na,1,\"\n\r\n\r\",2\nb,1,\"\n\",x\n"sv, "",
     ":7:3: value 'x' ", kNotANumber},
    {"InAQuotedHeader", "\"id\",\"time\",\"va\nlue\"\na,1,x\n"sv, "value=3", ":3:5: va\\x0alue 'x' ",
     kNotANumber},
    {"CellWithDoubledQuotesIsPlacedAtItsRow", "id,time,value\na,1,\"\"\"5\"\"\"\n"sv, "",
     ":2:1: value '\"5\"' ", kNotANumber},
    {"ByteColumnsCountBytes", "id,time,value\n\xC3\xA9,1,x\n"sv, "", ":2:6: value 'x' ", kNotANumber},
    {"QuotedCellIsPlacedAfterItsQuote", "id,time,value\na,1,\"x\"\n"sv, "", ":2:6: value 'x' ", kNotANumber},
};

class BadInput : public ::testing::TestWithParam<Case> {};

TEST_P(BadInput, IsExplainedInOneLine) {
  const OwnFiles files;
  const std::string path = files.write("events", GetParam().content);
  EXPECT_EQ(message_of(path, GetParam().options), path + GetParam().message + GetParam().advice);
}

TEST_P(BadInput, NeverEscapesAsAnythingElseWhenBadRowsAreSkipped) {
  const OwnFiles files;
  const std::string path = files.write("events", GetParam().content);
  const std::string message = message_of(path, std::string(GetParam().options) + " skip");
  for (const char c : message) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) << message;
}

INSTANTIATE_TEST_SUITE_P(Table, BadInput, ::testing::ValuesIn(kCases),
                         [](const auto& given) { return std::string(given.param.name); });

TEST(BadInput, HasManyCases) { EXPECT_GE(kCases.size(), 100U); }

/// Rows of events that fill several pieces.
std::string many_rows(std::size_t bytes) {
  std::string text = "id,time,value,f\n";
  for (int i = 0; text.size() < bytes; ++i) text += "u" + std::to_string(i % 7) + ",1,2,3\n";
  return text;
}

TEST(BadInputFarIntoTheFile, HasTheRightLine) {
  const OwnFiles files;
  const std::string rows = many_rows(5'000'000);
  const auto line = std::to_string(1 + std::ranges::count(rows, '\n'));
  const std::string path = files.write("far", rows + "a,1,abc,1\n");
  EXPECT_EQ(message_of(path), path + ":" + line + ":5: value 'abc' " + kNotANumber);
  const std::string feature = files.write("feature", rows + "a,1,2,red\n");
  EXPECT_EQ(message_of(feature, "features=f"),
            feature + ":" + line +
                ":7: f 'red' is not a number; correct it, leave it empty, or name its column as a category");
  const std::string order = files.write("order", rows + "u1,0.5,2,3\n");
  EXPECT_EQ(message_of(order, "order=strict"), order + ":" + line + ":4: time '0.5' " + kBackwards);
}

TEST(BadInputFarIntoTheFile, CountsLinesOfLoneCarriageReturns) {
  const OwnFiles files;
  std::string rows = many_rows(3'000'000);
  const auto line = std::to_string(1 + std::ranges::count(rows, '\n'));
  std::ranges::replace(rows, '\n', '\r');
  const std::string path = files.write("far", rows + "a,1,abc,1\r");
  EXPECT_EQ(message_of(path), path + ":" + line + ":5: value 'abc' " + kNotANumber);
}

TEST(UnclosedQuote, IsPlacedWhereItOpensHoweverMuchFollows) {
  const OwnFiles files;
  const std::string rows = many_rows(3'000'000);
  const std::string path = files.write("quote", "id,time,value,f\n\"a,1,2,3\n" + rows.substr(16));
  EXPECT_EQ(message_of(path),
            path + ":2:1: a quote is opened here that is never closed ('\"a,1,2,3'); " + kUnclosed);
  ReadReport report;
  const std::string late = files.write("late", rows + "b,\"1,2,3\n" + rows.substr(16));
  EXPECT_EQ(read(late, "skip", report).rows(), std::ranges::count(rows, '\n') - 1);
  EXPECT_EQ(report.skipped, 1);
}

std::string gzip(const std::string& text) {
  z_stream state{};
  EXPECT_EQ(deflateInit2(&state, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&state, text.size()) + 64, '\0');
  std::string in = text;
  state.next_in = reinterpret_cast<Bytef*>(in.data());
  state.avail_in = static_cast<uInt>(in.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

TEST(BadFile, IsNamedWithTheReason) {
  const OwnFiles files;
  const std::string rows = many_rows(100'000);
  std::string zst(ZSTD_compressBound(rows.size()), '\0');
  zst.resize(ZSTD_compress(zst.data(), zst.size(), rows.data(), rows.size(), 3));
  const std::string cut_gz = files.write("cut.gz", gzip(rows).substr(0, 300));
  EXPECT_EQ(message_of(cut_gz),
            cut_gz + ": the gzip data ends early; the file is cut off, fetch or compress it again");
  const std::string cut_zst = files.write("cut.zst", zst.substr(0, zst.size() - 5));
  EXPECT_EQ(message_of(cut_zst),
            cut_zst + ": the zstd data ends early; the file is cut off, fetch or compress it again");
  std::string damaged = gzip(rows);
  damaged[damaged.size() - 6] ^= 1;
  const std::string damaged_gz = files.write("damaged.gz", damaged);
  EXPECT_SAYS(message_of(damaged_gz), damaged_gz + ": the gzip data is damaged");
  EXPECT_EQ(message_of(files.path("")), files.path("") + ": this is a folder; name the files in it");
  EXPECT_EQ(message_of(files.path("none")),
            files.path("none") + ": cannot be opened: No such file or directory");
  EXPECT_SAYS(message_of(files.write("x", "id,time\na,1\n"), "zone=Europe/Pariss"),
              "unknown time zone 'Europe/Pariss'; did you mean Europe/Paris");
}

TEST(SeveralFiles, AreRefusedWhereTheyDiffer) {
  const OwnFiles files;
  const std::string one = files.write("one", "id,time,value\na,1,2\n");
  const std::string two = files.write("two", "id,time\na,1\n");
  const std::string bad = files.write("bad", "time,id,value\n1,a,2\n1,b,x\n");
  ReadReport report;
  const auto message = [&](const std::vector<TableSource>& sources) {
    return complaint([&] { read_tables(sources, {}, pool(), report); });
  };
  EXPECT_EQ(message({{one}, {two}}), two +
                                         ": the columns differ from those of the first file: id 'id', time "
                                         "'time'; there: id 'id', time 'time', value 'value'");
  EXPECT_EQ(message({{one}, {bad}}), bad + ":3:5: value 'x' " + kNotANumber);
  EXPECT_EQ(
      message({{one, Part::kTrain}, {one}}),
      one + ": this file has no part, but others have; give all files a part (train, valid, test) or none");
  EXPECT_EQ(message({}), "no file was given; name one, or - for standard input");
}

TEST(SkippedRows, AreCountedByReasonAndLeaveNothingBehind) {
  const OwnFiles files;
  const std::string path = files.write("events",
                                       "id,time,event,value,label,g\n"
                                       "a,1,buy,1,x,\n"
                                       "b,2,only-bad,abc,bad-class,9\n"  // value
                                       "c,soon,only-bad,1,y,\n"          // time
                                       "a,2,sell,2,z,7\n"                // label
                                       "a,0,late,2,,8\n"                 // order
                                       ",3,buy,1,x,\n"                   // id
                                       "d,4\n"                           // fields
                                       "a,3,sell,\xFF,x,\n"              // bytes
                                       "a,4,buy,,x,5\n"
                                       "e\"\xFF,1\n"  // fields; its bad byte is its own
                                       "a,5,sell,4,,\n");
  ReadReport report;
  const EventTable table = read(path, "skip order=strict sequence_features=g", report);
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(names_of(table.ids), (Texts{"a"}));
  EXPECT_EQ(table.ticks, (Ticks{1, 4, 5}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"buy", "sell"}));
  EXPECT_EQ(table.event->codes, (Codes{0, 0, 1}));
  EXPECT_EQ(names_of(table.label->names), (Texts{"x"}));
  EXPECT_EQ(table.sequence_numbers[0].values, (Doubles{5}));
  EXPECT_EQ(report.skipped, 8);
  const std::map<std::string, int64_t> reasons = {
      {"value is not a number", 1},
      {"time is not a number, as the first time is", 1},
      {"label differs from an earlier row of the same sequence", 1},
      {"time runs backwards within its sequence", 1},
      {"id is empty", 1},
      {"the row has too few fields", 2},
      {"a byte is not UTF-8", 1},
  };
  EXPECT_EQ(report.skipped_by_reason, reasons);
}

TEST(SkippedRows, MayBeTheFirstLinesOfJson) {
  const OwnFiles files;
  const std::string path = files.write("events", "{broken\n{\"id\":\"a\",\"time\":1}\n[]\n");
  ReadReport report;
  EXPECT_EQ(read(path, "skip format=jsonl", report).rows(), 1);
  EXPECT_EQ(report.skipped, 2);
}

}  // namespace
}  // namespace t2v::data
