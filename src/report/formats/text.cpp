#include "report/format.hpp"
#include "report/text_table.hpp"

namespace viaduct::formats {
namespace {

std::string render(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results) {
    text += text.empty() ? "" : "\n";
    text += results.size() > 1 ? result.file + "\n" : "";
    text += text_table(result);
  }
  return text;
}

}  // namespace

const Format& text() {
  static constexpr Format entry{"text", "tables for people, paths side by side", &render};
  return entry;
}

}  // namespace viaduct::formats
