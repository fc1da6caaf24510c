#include "core/error.hpp"
#include "report/format.hpp"
#include "report/html_data.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

namespace viaduct::embedded {

/// Name and text of the files of html/, and of Chart.js ("chart"), which is empty where the build
/// had none.
const std::vector<std::pair<std::string_view, std::string_view>>& html_files();

}  // namespace viaduct::embedded

namespace viaduct::formats {
namespace {

std::string_view file_text(std::string_view name) {
  for (const auto& [own_name, text] : embedded::html_files()) {
    if (own_name == name) {
      return text;
    }
  }
  throw Error(ErrorKind::internal, fmt::format("the page has no part '{}'", name));
}

std::string scripts() {
  std::string text;
  for (const auto& [name, source] : embedded::html_files()) {
    if (name != "page" && name != "style" && name != "chart") {
      text += source;
    }
  }
  return text;
}

std::string_view chart_library() {
  const std::string_view text = file_text("chart");
  if (text.empty()) {
    throw Error(ErrorKind::usage,
                "this build has no Chart.js, which the html report needs: install it (Debian: "
                "libjs-chart.js) and build again; --format markdown works without");
  }
  return text;
}

/// The page with each mark "{{name}}" replaced by its part. They come in the order of the page, in
/// one pass: a part may hold marks itself.
std::string render(const std::vector<Result>& results) {
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{style}}", std::string(file_text("style"))},
      {"{{data}}", html_data(results)},
      {"{{chart}}", std::string(chart_library())},
      {"{{script}}", scripts()}};
  std::string_view page = file_text("page");
  std::string text;
  for (const auto& [mark, part] : parts) {
    const std::size_t at = page.find(mark);
    if (at == std::string_view::npos) {
      throw Error(ErrorKind::internal, fmt::format("the page has no mark {}", mark));
    }
    text += page.substr(0, at);
    text += part;
    page.remove_prefix(at + mark.size());
  }
  return text.append(page);
}

}  // namespace

const Format& html() {
  static constexpr Format entry{
      "html", "one page for a browser, without network: verdicts, charts, heat maps", &render};
  return entry;
}

}  // namespace viaduct::formats
