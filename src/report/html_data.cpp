#include "report/html_data.hpp"

#include "report/footer.hpp"
#include "report/html_parts.hpp"
#include "report/html_tables.hpp"
#include "report/json_writer.hpp"
#include "report/limit_lines.hpp"
#include "report/record_columns.hpp"
#include "report/remarks.hpp"
#include "report/table_title.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

/// As a shell reads it back.
std::string shell_word(const std::string& word) {
  const std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + "'";
}

std::string command_text(const Manifest& manifest) {
  std::string text;
  for (const std::string& word : manifest.command_line) {
    text += (text.empty() ? "" : " ") + shell_word(word);
  }
  return text;
}

/// `viaduct launch` makes its launch line itself; any other command ran under a launcher, whose own
/// words the result does not have.
std::string command_note(const Manifest& manifest) {
  const std::vector<std::string>& words = manifest.command_line;
  const bool is_import = words.size() > 1 && words[1] == "import";
  if (is_import || (words.size() > 1 && words[1] == "launch")) {
    return "";
  }
  return fmt::format("under the launcher (mpirun or srun): {} ranks on {} hosts, one for each GPU",
                     manifest.ranks,
                     manifest.hosts.size());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void write_remarks(JsonWriter& json, const std::vector<Remark>& remarks) {
  json.key("remarks");
  json.begin_list();
  for (const Remark& remark : remarks) {
    json.begin_object();
    json.text_at("level", name(remark.level));
    json.text_at("text", remark.text);
    json.end();
  }
  json.end();
}

void write_gates(JsonWriter& json, const Result& result) {
  json.key("gates");
  json.begin_list();
  for (const GateVerdict& gate : result.gates) {
    json.begin_object();
    json.text_at("name", gate.name);
    json.text_at("kind", gate.kind);
    json.text_at("state", name(gate.state));
    json.flag_at("fails", gate.fails);
    json.text_at("reason", gate.reason);
    json.whole_at("rows", gate.rows);
    json.end();
  }
  json.end();
}

void write_result(JsonWriter& json, const Result& result, const HtmlLimits& limits) {
  const std::vector<std::string> paths = path_order(result);
  const std::vector<CaseTable> tables = case_tables(result, paths);
  json.begin_object();
  json.text_at("file", result.file);
  json.text_at("status", run_status(result));
  json.texts_at("title", lines_of(run_title(result.manifest)));
  json.text_at("ending", lines_of(ending(result)).front());
  json.text_at("command", command_text(result.manifest));
  json.text_at("command_note", command_note(result.manifest));
  json.texts_at("path_names", paths);
  json.texts_at("limits", lines_of(limit_lines(result)));
  write_remarks(json, remarks_on(result, tables, paths));
  write_gates(json, result);
  write_charts(json, result, tables, paths, limits);
  write_matrices(json, result, tables, paths, limits);
  write_topologies(json, result);
  write_small_tables(json, result);
  write_raw(json, result, limits);
  json.end();
}

}  // namespace

std::string html_data(const std::vector<Result>& results, const HtmlLimits& limits) {
  JsonWriter json;
  json.begin_object();
  json.key("results");
  json.begin_list();
  for (const Result& result : results) {
    write_result(json, result, limits);
  }
  json.end();
  json.end();
  return json.take();
}

}  // namespace viaduct
