#include "lane/frame.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace viaduct {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes numbered(std::size_t count, unsigned first = 0) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::uint8_t>(first + i * 7);
  }
  return bytes;
}

Bytes operator+(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

ErrorKind kind_of_next(FrameReader& reader) {
  try {
    reader.next();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(Frame, BeginsWithItsLengthLittleEndian) {
  EXPECT_EQ(make_frame(Bytes{9, 8, 7}), (Bytes{3, 0, 0, 0, 9, 8, 7}));
  const Bytes frame = make_frame(numbered(0x010203));
  EXPECT_EQ(Bytes(frame.begin(), frame.begin() + 4), (Bytes{3, 2, 1, 0}));
  EXPECT_EQ(frame.size(), 4U + 0x010203U);
}

TEST(Frame, RefusesEmptyAndTooLong) {
  EXPECT_THROW(make_frame(Bytes{}), Error);
  EXPECT_NO_THROW(make_frame(Bytes(max_frame_bytes)));
  try {
    make_frame(Bytes(max_frame_bytes + 1));
    FAIL() << "a frame above the limit was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    EXPECT_NE(error.message().find("67108865"), std::string::npos) << error.message();
  }
}

TEST(FrameReader, PutsTwoFramesTogetherTornAtEveryByte) {
  const Bytes first = numbered(11);
  const Bytes second = numbered(300, 5);
  const Bytes stream = make_frame(first) + make_frame(second);
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    FrameReader reader;
    std::vector<Bytes> documents;
    const std::span all(stream);
    for (const auto piece : {all.first(cut), all.subspan(cut)}) {
      reader.append(piece);
      while (const auto document = reader.next()) {
        documents.push_back(*document);
      }
    }
    ASSERT_EQ(documents, (std::vector{first, second})) << "cut at byte " << cut;
    ASSERT_EQ(reader.pending_bytes(), 0U);
  }
}

TEST(FrameReader, TakesOneByteAtATime) {
  const Bytes document = numbered(70);
  const Bytes frame = make_frame(document);
  FrameReader reader;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    ASSERT_FALSE(reader.next()) << "a document after " << i << " bytes";
    ASSERT_EQ(reader.pending_bytes(), i);
    reader.append(std::span(frame).subspan(i, 1));
  }
  EXPECT_EQ(reader.next(), document);
  EXPECT_FALSE(reader.next());
}

TEST(FrameReader, CountsBytesOfATornFrame) {
  const Bytes frame = make_frame(numbered(20));
  FrameReader reader;
  reader.append(std::span(frame).first(9));
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.pending_bytes(), 9U);
}

TEST(FrameReader, RefusesALengthOfZero) {
  FrameReader reader;
  reader.append(Bytes{0, 0, 0, 0});
  EXPECT_EQ(kind_of_next(reader), ErrorKind::lost);
}

TEST(FrameReader, RefusesALengthAboveTheLimitBeforeItsBytesCome) {
  FrameReader garbage;
  garbage.append(Bytes(4, 0xFF));
  EXPECT_EQ(kind_of_next(garbage), ErrorKind::lost);

  FrameReader one_above;
  one_above.append(Bytes{1, 0, 0, 4});
  EXPECT_EQ(kind_of_next(one_above), ErrorKind::lost);

  FrameReader at_limit;
  at_limit.append(Bytes{0, 0, 0, 4});
  EXPECT_FALSE(at_limit.next());
}

TEST(FrameReader, PutsALongFrameTogether) {
  const Bytes document = numbered(20'000'000);
  const Bytes frame = make_frame(document);
  FrameReader reader;
  for (std::size_t at = 0; at < frame.size(); at += 65'536) {
    ASSERT_FALSE(reader.next());
    reader.append(std::span(frame).subspan(at, std::min<std::size_t>(65'536, frame.size() - at)));
  }
  EXPECT_TRUE(reader.next() == document);
}

TEST(FrameReader, EndsOnAnyGarbageInDocumentsOrErrorLost) {
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    Bytes garbage(random() % 40);
    std::generate(garbage.begin(), garbage.end(), [&] {
      return static_cast<std::uint8_t>(random() % 3 == 0 ? random() : 0U);
    });
    FrameReader reader;
    reader.append(garbage);
    try {
      while (const auto document = reader.next()) {
        ASSERT_LE(document->size() + 4, garbage.size());
      }
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::lost);
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace viaduct
