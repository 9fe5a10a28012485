#include "data/column_words.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

TEST(ColumnWords, AreFoundInEveryWayOfWritingNames) {
  for (const char* name :
       {"CaseID", "Case ID", "case_id", "case-id", "caseId", "CASE.ID", "case:id", " case  id "}) {
    EXPECT_EQ(words_of(name), (Texts{"case", "id"})) << name;
  }
  EXPECT_EQ(words_of("CompleteTimestamp"), (Texts{"complete", "timestamp"}));
  EXPECT_EQ(words_of("HTTPStatusCode"), (Texts{"http", "status", "code"}));
  EXPECT_EQ(words_of("value12"), (Texts{"value", "12"}));
  EXPECT_EQ(words_of("#Passengers"), (Texts{"passengers"}));
  EXPECT_EQ(words_of("größe"), (Texts{"größe"}));
  EXPECT_EQ(words_of(" "), Texts());
}

int id(const char* name) { return says_id(words_of(name)); }
int event(const char* name) { return says_event(words_of(name)); }

TEST(ColumnWords, SayWhoHasEvents) {
  for (const char* name :
       {"CaseID", "case:concept:name", "customer_unique_id", "CUSTID", "hashed user id", "cc_num",
        "StudentNo", "store_nbr", "UserName", "caseid", "username", "Account Number"}) {
    EXPECT_EQ(id(name), 2) << name;
  }
  for (const char* name : {"Case", "machine", "ip", "Store"}) EXPECT_EQ(id(name), 1) << name;
  for (const char* name :
       {"user_agent", "id", "case type", "caseload", "movieId", "unit_price", "", "zip code"}) {
    EXPECT_EQ(id(name), 0) << name;
  }
}

TEST(ColumnWords, SayWhatHappens) {
  for (const char* name : {"ActivityID", "concept:name", "EventType", "action", "Event Name"}) {
    EXPECT_EQ(event(name), 3) << name;
  }
  for (const char* name : {"movieId", "StockCode", "url", "parameter"}) EXPECT_EQ(event(name), 2) << name;
  for (const char* name : {"Category", "status", "type", "code"}) EXPECT_EQ(event(name), 1) << name;
  for (const char* name : {"event duration", "org:resource", "id", "", "page count"})
    EXPECT_EQ(event(name), 0) << name;
}

TEST(ColumnWords, SayWhatNumbersAre) {
  for (const char* name : {"minutes", "elapsed_ms", "Day", "cycle", "t_hours", "year"}) {
    EXPECT_TRUE(says_elapsed(words_of(name))) << name;
  }
  for (const char* name :
       {"duration_minutes", "age", "hour of day", "days_waited_lag", "min", "timezone id"}) {
    EXPECT_FALSE(says_elapsed(words_of(name))) << name;
  }
  EXPECT_TRUE(says_value(words_of("Value (kWh)")));
  EXPECT_TRUE(says_value(words_of("reading")));
  EXPECT_FALSE(says_value(words_of("value1")));
  EXPECT_FALSE(says_value(words_of("customer lifetime value")));
  for (const char* name : {"died", "Churned", "is_fraud", "in hospital death"}) {
    EXPECT_TRUE(says_outcome(words_of(name))) << name;
  }
  EXPECT_FALSE(says_outcome(words_of("ward")));
  for (const char* name : {"movieId", "invoice no", "ITEMID", "stock_code"})
    EXPECT_TRUE(says_code(words_of(name))) << name;
  for (const char* name : {"humid", "amount", "id", ""}) EXPECT_FALSE(says_code(words_of(name))) << name;
}

}  // namespace
}  // namespace t2v::data
