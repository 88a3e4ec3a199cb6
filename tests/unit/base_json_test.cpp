// tests/unit/base_json_test.cpp: JSON as other programs read it, written and read back.
#include <gtest/gtest.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include "base/json.hpp"

namespace {

using tenon::base::Json;

TEST(Json, IsWrittenAsOthersReadIt) {
  Json out;
  out["text"] = "quotes \" and \\, lines\n\r\t\b\f, \x01\x1f, \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
  out["numbers"] = {0, -1, INT64_MIN, UINT64_MAX, 0.1, 1e300, 3.0, -0.0, true, nullptr};
  out["empty"] = Json::object();
  out["list"] = std::vector<std::string>{"a", "b"};
  out["pairs"] = {{"a", 1}, {"b", {{"c", Json::array()}}}};
  out["rows"].push_back({1, 2});
  out["rows"].emplace_back()["key"] = 'x' + 0;
  for (const int indent : {-1, 2}) {
    const nlohmann::json read = nlohmann::json::parse(out.dump(indent));
    EXPECT_EQ(read["text"].get<std::string>(),
              "quotes \" and \\, lines\n\r\t\b\f, \x01\x1f, \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    EXPECT_EQ(read["numbers"], nlohmann::json({0, -1, INT64_MIN, UINT64_MAX, 0.1, 1e300, 3.0, -0.0, true, nullptr}));
    EXPECT_EQ(read["empty"], nlohmann::json::object());
    EXPECT_EQ(read["list"], nlohmann::json({"a", "b"}));
    EXPECT_EQ(read["pairs"]["b"]["c"], nlohmann::json::array());
    EXPECT_EQ(read["rows"].dump(), R"([[1,2],{"key":120}])");
    EXPECT_EQ(Json::parse(out.dump(indent)).dump(), out.dump());
  }
  EXPECT_EQ(Json({{"b", 1}, {"a", 2}}).dump(), R"({"b":1,"a":2})") << "in the order of making";
  EXPECT_EQ(Json({{"a", 1.0}}).dump(2), "{\n  \"a\": 1.0\n}");
}

TEST(Json, HasNoBytesThatAreNotUtf8AndNoNumbersThatAreNotFinite) {
  for (const char* bytes : {"\xff", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "\xf8\x88\x80\x80\x80", "\xe2\x82", "\x80"})
    EXPECT_EQ(nlohmann::json::parse(Json(bytes).dump()).get<std::string>().find("\xef\xbf\xbd"), 0u) << bytes;
  EXPECT_EQ(Json(std::vector<double>{NAN, INFINITY}).dump(), "[null,null]");
}

TEST(Json, ThatIsReadIsAsItWasWritten) {
  const Json read = Json::parse(R"({"a": [1, -2, 0.5, "x", true, null], "b": {"c": 18446744073709551615}})");
  EXPECT_EQ(read.at("a").begin()[0].get<int64_t>(), 1);
  EXPECT_EQ(read.at("a").begin()[2].get<double>(), 0.5);
  EXPECT_EQ(read.at("b").at("c").get<uint64_t>(), UINT64_MAX);
  EXPECT_EQ(read.value("z", 7), 7);
  EXPECT_THROW(read.at("z"), std::runtime_error);
  EXPECT_THROW(read.at("a").begin()[3].get<int>(), std::runtime_error);
  EXPECT_THROW(read.at("b").get<std::string>(), std::runtime_error);
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "[1] 2", "\"\xff\""})
    EXPECT_EQ(Json::parse(text).dump(), "null") << text;
  EXPECT_EQ(Json::parse(std::string(100000, '[')).dump(), "null") << "nested too deep";
  EXPECT_EQ(Json::parse(std::string(1000, '[') + std::string(1000, ']')).dump(), "null");
}

}  // namespace
