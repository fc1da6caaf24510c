#include "lane/cbor_document.hpp"
#include "lane/messages.hpp"
#include "sample_messages.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <random>

namespace viaduct {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

/// The message of the Error(lost) that decoding throws; "" and a failure when it throws none.
std::string refusal(const std::function<void()>& decode) {
  try {
    decode();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::lost);
    return error.message();
  }
  ADD_FAILURE() << "decoded without a complaint";
  return "";
}

std::string reply_refusal(const Bytes& document) {
  return refusal([&] { decode_reply(document); });
}

std::string reply_refusal(const json& object) {
  return reply_refusal(json::to_cbor(object));
}

std::string request_refusal(const json& object) {
  return refusal([&] { decode_request(json::to_cbor(object)); });
}

void expect_names(const std::string& message, const std::string& word) {
  EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' is not in: " << message;
}

/// Every document of the protocol, with the function that reads it.
std::vector<std::pair<Bytes, std::function<void(const Bytes&)>>> every_document() {
  std::vector<std::pair<Bytes, std::function<void(const Bytes&)>>> all;
  for (const Request& request : sample_requests()) {
    all.emplace_back(encode(request), [](const Bytes& bytes) { decode_request(bytes); });
  }
  for (const Reply& reply : sample_replies()) {
    all.emplace_back(encode(reply), [](const Bytes& bytes) { decode_reply(bytes); });
  }
  return all;
}

/// Places of all keys of a document, those of nested objects too.
std::vector<json::json_pointer> every_key(const json& whole,
                                          const json::json_pointer& at = json::json_pointer()) {
  std::vector<json::json_pointer> keys;
  for (const auto& item : whole.at(at).items()) {
    keys.push_back(at / item.key());
    if (item.value().is_object()) {
      const auto nested = every_key(whole, keys.back());
      keys.insert(keys.end(), nested.begin(), nested.end());
    }
  }
  return keys;
}

TEST(MessagesErrors, EveryMissingKeyIsNamed) {
  int tried = 0;
  for (const auto& message : every_document()) {
    const json whole = json::from_cbor(message.first);
    for (const auto& key : every_key(whole)) {
      json copy = whole;
      copy.at(key.parent_pointer()).erase(key.back());
      expect_names(refusal([&] { message.second(json::to_cbor(copy)); }), "'" + key.back() + "'");
      ++tried;
    }
  }
  EXPECT_GT(tried, 80);
}

TEST(MessagesErrors, EveryKeyOfAWrongTypeIsNamed) {
  for (const auto& message : every_document()) {
    const json whole = json::from_cbor(message.first);
    for (const auto& key : every_key(whole)) {
      for (const json& wrong : {json(json::array({"x"})), json(json::binary({1, 2}))}) {
        json copy = whole;
        copy.at(key) = wrong;
        expect_names(refusal([&] { message.second(json::to_cbor(copy)); }), "'" + key.back() + "'");
      }
    }
  }
}

TEST(MessagesErrors, UnknownTypesAreNamed) {
  expect_names(reply_refusal(json{{"type", "greeting"}}), "'greeting'");
  expect_names(request_refusal(json{{"type", "done"}}), "'done'");
  expect_names(reply_refusal(json{{"type", 3}}), "'type'");
  expect_names(reply_refusal(json{{"kind", "done"}}), "'type'");
  expect_names(reply_refusal(json::array({"done"})), "array");
}

TEST(MessagesErrors, NumbersOutOfRangeAreNamed) {
  json hello = json::from_cbor(encode(sample_replies().at(0)));
  hello["pid"] = 3'000'000'000U;
  expect_names(reply_refusal(hello), "'pid' is 3000000000");
  hello["pid"] = std::uint64_t{1} << 63U;
  expect_names(reply_refusal(hello), "'pid'");
  hello["pid"] = 1;
  hello["total_bytes"] = -1;
  expect_names(reply_refusal(hello), "'total_bytes' is -1");
  hello["total_bytes"] = 1.5;
  expect_names(reply_refusal(hello), "'total_bytes' is of type number, not whole number");
}

TEST(MessagesErrors, UnknownEnumeratorsAreNamed) {
  json describe = json::from_cbor(encode(sample_requests().at(3)));
  describe["case"]["datatype"] = "float31";
  const std::string message = request_refusal(describe);
  expect_names(message, "'datatype'");
  expect_names(message, "'float31'");
  expect_names(message, "'case'");
}

TEST(MessagesErrors, SamplesMustBeWholeDoubles) {
  json batch = json::from_cbor(encode(sample_replies().at(5)));
  batch["samples_us"] = json::array({1.5});
  expect_names(reply_refusal(batch), "'samples_us' is of type array, not bytes");
  batch["samples_us"] = json::binary(Bytes(15));
  expect_names(reply_refusal(batch), "'samples_us' has 15 bytes, not a multiple of 8");
}

TEST(MessagesErrors, ADocumentCutAnywhereIsRefused) {
  for (const auto& message : every_document()) {
    for (std::size_t length = 0; length < message.first.size(); ++length) {
      Bytes cut = message.first;
      cut.resize(length);
      ASSERT_NE(refusal([&] { message.second(cut); }), "");
    }
  }
}

TEST(MessagesErrors, BytesAfterTheDocumentAreRefused) {
  for (const auto& message : every_document()) {
    Bytes longer = message.first;
    longer.push_back(0);
    EXPECT_NE(refusal([&] { message.second(longer); }), "");
  }
}

TEST(MessagesErrors, DeepNestingDoesNotOverflowTheStack) {
  for (const std::uint8_t opener : Bytes{0x81, 0x9F}) {
    expect_names(reply_refusal(Bytes(5'000'000, opener)), "nested deeper than 8");
  }
  Bytes maps;
  for (int i = 0; i < 1'000'000; ++i) {
    maps.insert(maps.end(), {0xA1, 0x61, 'k'});
  }
  expect_names(reply_refusal(maps), "nested deeper than 8");
}

TEST(MessagesErrors, AnImpossibleLengthIsRefusedWithoutTakingThatMemory) {
  for (const std::uint8_t kind : Bytes{0x5B, 0x7B, 0x9B, 0xBB}) {
    Bytes document(9, 0xFF);
    document.front() = kind;
    EXPECT_NE(reply_refusal(document), "");
    document[1] = 0x00;
    EXPECT_NE(reply_refusal(document), "");
  }
}

TEST(MessagesErrors, ChangedBytesGiveAMessageOrErrorLostAndNothingElse) {
  std::mt19937 random(11);
  int refused = 0;
  int taken = 0;
  for (const auto& [original, decode] : every_document()) {
    for (int round = 0; round < 1500; ++round) {
      Bytes document = original;
      for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
        document[random() % document.size()] = static_cast<std::uint8_t>(random());
      }
      try {
        decode(document);
        ++taken;
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), ErrorKind::lost);
        ASSERT_FALSE(error.message().empty());
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 100);
}

}  // namespace
}  // namespace viaduct
