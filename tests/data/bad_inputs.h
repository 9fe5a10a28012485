#pragma once

#include <string_view>
#include <vector>

namespace t2v::data::bad_inputs {

using namespace std::string_view_literals;

// What to do, or what is wrong and what to do.
inline constexpr const char* kNotANumber = "is not a number; correct it or leave it empty";
inline constexpr const char* kNotATimeNumber =
    "is not a number, as the first time is; write all times in the same way";
inline constexpr const char* kNotATime =
    "is not a time; write it as 2021-03-28 14:05:09.250, with Z or +01:00 after it if need be, or as a "
    "number, or say how times are written with `time_format`";
inline constexpr const char* kNotFinite = "is not a finite number; leave it empty if there is no value";
inline constexpr const char* kComma = "has a decimal comma; write a point, and no separators of thousands";
inline constexpr const char* kHex = "is hexadecimal; write it as a decimal number";
inline constexpr const char* kTooLarge =
    "is too large or has more digits than can be kept; round it, or use a larger unit";
inline constexpr const char* kNoDate = "has a date that does not exist; the order is year, month, day";
inline constexpr const char* kNoTimeOfDay =
    "has a time of day that does not exist; hours go from 00 to 23, minutes and seconds to 59";
inline constexpr const char* kNoOffset =
    "has an offset from UTC that does not exist; offsets go from -23:59 to +23:59";
inline constexpr const char* kTooFine = "is finer than a nanosecond; round it to 9 decimals of a second";
inline constexpr const char* kRange =
    "is outside of the years 1677 to 2262, which 64 bits of nanoseconds hold; is the unit right "
    "(`time_unit`)?";
inline constexpr const char* kNoTime = "is empty; a time is needed here";
inline constexpr const char* kNoId = "is empty; every event needs the id of its sequence";
inline constexpr const char* kRagged =
    "give every row as many fields as the first; quote fields that hold the separator";
inline constexpr const char* kNul = "take it out; is this a text file?";
inline constexpr const char* kUtf8 = "save the file as UTF-8";
inline constexpr const char* kUnclosed = "close it, or double a quote that is meant as a character";
inline constexpr const char* kAfterQuote = "double a quote that is meant as a character";
inline constexpr const char* kBackwards =
    "runs backwards within its sequence; sort the table, or use `order` sort or drop";
inline constexpr const char* kDiffers =
    "differs from an earlier row of the same sequence; a sequence has one of them";
inline constexpr const char* kLabelDiffers =
    "differs from an earlier row of the same sequence; a sequence has one of them, or give `label` - if it "
    "is "
    "none";
inline constexpr const char* kOneObject = R"(write one object a line: {"user_id": "a", "time": 1, ...})";
inline constexpr const char* kObjectInList =
    R"(write one for each event: [{"user_id": "a", "time": 1}, ...])";
inline constexpr const char* kNoRow = "there is no row; write a row of names, then a row for each event";

/// A table and what a person is told about it.
struct Case {
  const char* name;
  std::string_view content;
  const char* options;
  const char* message;  // after the path
  const char* advice;   // after the message
};

inline const std::vector<Case> kCases = {
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
     R"(:2:1: a byte is not UTF-8 ('\xed\xa0\x80,1'); )", kUtf8},
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
     R"(:2:1: a quote is opened here that is never closed ('"a"",1'); )", kUnclosed},
    {"TextAfterAClosingQuote", "id,time\n\"a\"b,1\n"sv, "",
     ":2:4: there is text after a closing quote ('b,1'); ", kAfterQuote},
    {"BlankAfterAClosingQuote", "id,time\n\"a\" ,1\n"sv, "",
     ":2:4: there is text after a closing quote (' ,1'); ", kAfterQuote},
    {"TextAfterAClosingQuoteInTheHeader", "id,\"ti\"me\na,1\n"sv, "",
     ":1:8: there is text after a closing quote ('me'); ", kAfterQuote},
    {"UnknownColumn", "id,time,price\na,1,2\n"sv, "features=pirce",
     ": there is no column 'pirce' (`features` pirce); did you mean 'price'? the columns are 'id', 'time', "
     "'price'",
     ""},
    {"UnknownColumnUnlikeAll", "id,time,price\na,1,2\n"sv, "features=colour",
     ": there is no column 'colour' (`features` colour); the columns are 'id', 'time', 'price'", ""},
    {"UnknownTimeColumn", "id,when\na,1\n"sv, "time=wehn",
     ": there is no column 'wehn' (`time` wehn); did you mean 'when'? the columns are 'id', 'when'", ""},
    {"ColumnNumberTooLarge", "id,time\na,1\n"sv, "features=3",
     ": there is no column '3' (`features` 3); the columns are 'id', 'time'", ""},
    {"ColumnNumberZero", "id,time\na,1\n"sv, "features=0",
     ": there is no column '0' (`features` 0); the columns are 'id', 'time'", ""},
    {"IdTakenAsSomethingElse", "id,time\na,1\n"sv, "features=id",
     ": no column for the id was found; the columns are 'id', 'time'; name one with `id` (or `id` - if all "
     "rows are one sequence)",
     ""},
    {"NoTimeColumn", "id,when\na,1\n"sv, "",
     ": no column for the time was found; the columns are 'id', 'when'; name one with `time`", ""},
    {"TimeSaidToBeNone", "id,time\na,1\n"sv, "time=-",
     ": every event needs a time, but `time` is '-'; name a column", ""},
    {"NoHeader", "a,5\nb,6\n"sv, "",
     ": no column for the time was found; there are the columns 1 to 2; name one with `time`", ""},
    {"NameWithoutAHeader", "a,5\nb,6\n"sv, "header=no id=1 time=when",
     ": there is no column 'when' (`time` when); there are the columns 1 to 2", ""},
    {"ColumnTakenTwice", "id,time,price\na,1,2\n"sv, "value=price features=price",
     ": the column 'price' is taken as value and as feature; give it one of them", ""},
    {"ColumnGivenTwiceAsFeature", "id,time,f\na,1,2\n"sv, "features=f,f",
     ": the column 'f' is taken as feature and as feature; give it one of them", ""},
    {"CategoryThatIsNoFeature", "id,time,f\na,1,2\n"sv, "categories=f",
     ": the category 'f' is not among the features; name it there too", ""},
    {"CategoryThatIsTheId", "id,time,f\na,1,2\n"sv, "categories=id",
     ": the category 'id' is not among the features; name it there too", ""},
    {"HeaderWithANewlineInAName", "\"a\nb\",when\na,1\n"sv, "",
     ": no column for the time was found; the columns are 'a\\x0ab', 'when'; name one with `time`", ""},
    {"ManyColumns", "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,u,v,w\n"sv, "",
     ": no column for the time was found; the columns are 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', "
     "'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 'u' and 2 more; name one with `time`",
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
    {"LabelDiffers", "id,time,label\na,1,x\nb,1,y\na,2,y\n"sv, "", ":4:5: label 'y' ", kLabelDiffers},
    {"LabelDiffersAfterAnEmptyOne", "id,time,label\na,1,\na,2,x\na,3,z\n"sv, "", ":4:5: label 'z' ",
     kLabelDiffers},
    {"TargetDiffers", "id,time,y\na,1,1.5\na,2,1.50\na,3,2\n"sv, "target=y", ":4:5: y '2' ", kDiffers},
    {"SequenceFeatureDiffers", "id,time,g\na,1,red\na,2,blue\n"sv, "sequence_features=g", ":3:5: g 'blue' ",
     kDiffers},
    {"TheFirstBadRowCounts", "id,time,label,value\na,1,x,1\na,2,y,1\nb,3,x,abc\n"sv, "", ":3:5: label 'y' ",
     kLabelDiffers},
    {"JsonLineIsNoJson", "{\"id\":\"a\",\"time\":1}\nid,time\n"sv, "",
     ":2:1: the line is not valid JSON ('id,time'); ", kOneObject},
    {"JsonFirstLineIsNoJson", "{id: 1}\n{\"id\":\"a\",\"time\":1}\n"sv, "",
     ":1:2: the line is not valid JSON ('id: 1}'); ", kOneObject},
    {"JsonLineIsAList", "{\"id\":\"a\",\"time\":1}\n[1,2]\n"sv, "",
     ":2:1: the line is not a JSON object ('[1,2]'); ", kOneObject},
    {"JsonLineIsANumber", "{\"id\":\"a\",\"time\":1}\n\n17\n"sv, "",
     ":3:1: the line is not a JSON object ('17'); ", kOneObject},
    {"JsonValueIsNested", "{\"id\":\"a\",\"time\":1}\n{\"id\":[\"a\"],\"time\":2}\n"sv, "",
     ":2:7: the line has a list or an object where a single value is needed "
     "('[\"a\"],\"time\":2}'); ",
     kOneObject},
    {"JsonValueIsAnObject", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":{\"s\":2}}\n"sv, "",
     ":2:18: the line has a list or an object where a single value is needed "
     "('{\"s\":2}}'); ",
     kOneObject},
    {"JsonKeyTwice", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":2,\"time\":3}\n"sv, "",
     R"(:2:20: the line has a key twice ('"time":3}'); )", kOneObject},
    {"JsonCutOff", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"ti"sv, "",
     ":2:14: the line is not valid JSON (''); ", kOneObject},
    {"JsonTimeIsMissing", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"b\"}\n"sv, "", ":2:1: time '' ", kNoTime},
    {"JsonTimeIsNull", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"b\",\"time\":null}\n"sv, "", ":2:18: time '' ",
     kNoTime},
    {"JsonIdIsMissing", "{\"id\":\"a\",\"time\":1}\n{\"time\":1}\n"sv, "", ":2:1: id '' ", kNoId},
    {"JsonTrailingText", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":2} x\n"sv, "",
     ":2:21: the line is not valid JSON ('x'); ", kOneObject},
    {"JsonNumberTooLarge", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":1e999}\n"sv, "",
     ":2:18: the line has a number that is too large ('1e999}'); ", kOneObject},
    {"JsonTimeIsAWord", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":\"x\"}\n"sv, "",
     ":2:19: time 'x' ", kNotATimeNumber},
    {"JsonTimeIsTrue", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":true}\n"sv, "",
     ":2:18: time 'true' ", kNotATimeNumber},
    {"JsonNul", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"a\",\"time\":2}\0{}\n"sv, "",
     ":2:20: there is a NUL byte ('\\x00{}'); ", kNul},
    {"JsonBadUtf8", "{\"id\":\"a\",\"time\":1}\n{\"id\":\"\xFF\",\"time\":2}\n"sv, "",
     R"(:2:8: the line is not valid JSON ('\xff","time":2}'); )", kOneObject},
    {"JsonNoTimeKeyAtAll", "{\"id\":\"a\"}\n"sv, "",
     ": no column for the time was found; the columns are 'id'; name one with `time`", ""},
    {"JsonListOfNumbers", "[1]\n"sv, "", ":1:2: the list holds single values, not objects; ", kObjectInList},
    {"JsonListOfLists", "\n [ [1,2],\n[3,4]]\n"sv, "", ":2:4: the list holds lists, not objects; ",
     kObjectInList},
    {"JsonListSaidToBeLines", "[1]\n"sv, "format=jsonl", ":1:2: the list holds single values, not objects; ",
     kObjectInList},
    {"JsonListWithoutItsEnd", "[\n{\"id\":\"a\",\"time\":1},\n"sv, "",
     ":3:1: the list ends without its ]; is the file cut off?", ""},
    {"JsonListCutOffInAnObject", "[{\"id\":\"a\",\"time\":1},{\"id\":\"b"sv, "",
     ":1:30: the list ends without its ]; is the file cut off?", ""},
    {"JsonListWithoutAComma", "[{\"id\":\"a\",\"time\":1}\n{\"id\":\"b\",\"time\":1}]"sv, "",
     ":2:1: a comma or ] is missing behind the object", ""},
    {"JsonListWithMoreBehindIt", "[{\"id\":\"a\",\"time\":1}]\n{}"sv, "",
     ":2:1: there is more behind the end of the list; take it out", ""},
    {"JsonListIsEmpty", "[\n]"sv, "", ": the list has no object; write one for each event", ""},
    {"JsonListObjectIsNoJson", "[{\"id\":\"a\",\"time\":1},\n {\"id\": oops}]"sv, "",
     ":2:9: the object is not valid JSON ('oops}'); ", kObjectInList},
    {"JsonListTimeIsAWord", "[{\"id\":\"a\",\"time\":1},\n {\"id\":\"a\",\n\"time\":\"x\"}]"sv, "",
     ":3:9: time 'x' ", kNotATimeNumber},
    {"JsonListValueIsNested", "[{\"id\":\"a\",\"time\":1}, {\"id\":[],\"time\":1}]"sv, "",
     ":1:29: the object has a list or an object where a single value is needed ('[],\"time\":1}'); ",
     kObjectInList},
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

}  // namespace t2v::data::bad_inputs
