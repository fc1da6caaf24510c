#include "report/table_layout.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

const std::vector<ColumnGroup> groups{{"", {{"size", "bytes"}}},
                                      {"direct", {{"time", "us"}, {"wrong", ""}}},
                                      {"socket", {{"time", "us"}}}};

}  // namespace

TEST(TableLayout, AlignsColumnsAndCutsBlanksAtTheEnd) {
  const std::vector<TextRow> rows{{{{"8"}, ""}, {{"5.400", "0"}, ""}, {{"27.60"}, ""}},
                                  {{{"1M"}, ""}, {{"12345.6", "17"}, ""}, {{"7"}, ""}}};
  EXPECT_EQ(lay_out(groups, rows, 80),
            "      | direct         | socket\n"
            " size |    time  wrong |   time\n"
            "bytes |      us        |     us\n"
            "    8 |   5.400      0 |  27.60\n"
            "   1M | 12345.6     17 |      7\n");
}

TEST(TableLayout, SpansAStatusOverItsGroup) {
  const std::vector<TextRow> rows{{{{"8"}, ""}, {{}, "skipped [1]"}, {{"27.60"}, ""}}};
  EXPECT_EQ(lay_out(groups, rows, 80),
            "      | direct      | socket\n"
            " size | time  wrong |   time\n"
            "bytes |   us        |     us\n"
            "    8 | skipped [1] |  27.60\n");
}

TEST(TableLayout, WidensAGroupForItsTitle) {
  const std::vector<TextRow> rows{{{{"8"}, ""}, {{"1"}, ""}}};
  EXPECT_EQ(lay_out({groups[0], {"a-long-name", {{"t", ""}}}}, rows, 80),
            "      | a-long-name\n"
            " size |           t\n"
            "bytes |\n"
            "    8 |           1\n");
}

TEST(TableLayout, MovesColumnsTogetherWhereThatIsEnough) {
  const std::vector<TextRow> rows{{{{"8"}, ""}, {{"5.400", "0"}, ""}, {{"27.60"}, ""}}};
  EXPECT_EQ(lay_out(groups, rows, 28),
            "      | direct      | socket\n"
            " size |  time wrong |   time\n"
            "bytes |    us       |     us\n"
            "    8 | 5.400     0 |  27.60\n");
}

TEST(TableLayout, PutsGroupsThatDoNotFitBelow) {
  const std::vector<TextRow> rows{{{{"8"}, ""}, {{"5.400", "0"}, ""}, {{"27.60"}, ""}}};
  EXPECT_EQ(lay_out(groups, rows, 25),
            "      | direct\n"
            " size |  time wrong\n"
            "bytes |    us\n"
            "    8 | 5.400     0\n"
            "\n"
            "      | socket\n"
            " size |   time\n"
            "bytes |     us\n"
            "    8 |  27.60\n");
}

TEST(TableLayout, RefusesARowOfAnotherShape) {
  EXPECT_THROW(lay_out(groups, {{{{"8"}, ""}}}, 80), Error);
  EXPECT_THROW(lay_out(groups, {{{{"8"}, ""}, {{"5"}, ""}, {{"27"}, ""}}}, 80), Error);
}

}  // namespace viaduct
