#include "report/result_reader.hpp"

#include "core/error.hpp"
#include "core/special_file.hpp"
#include "report/json_fields.hpp"
#include "report/json_tree.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace viaduct {

namespace {

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("{}:{}: {}", file, line, what));
}

std::ifstream open_file(const std::string& file) {
  if (std::filesystem::is_directory(file)) {
    throw Error(ErrorKind::usage,
                fmt::format("cannot read '{}': it is a folder; name a result file (.jsonl)", file));
  }
  if (is_special_file(file)) {
    throw Error(ErrorKind::usage, fmt::format("cannot read '{}': it is not a regular file", file));
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "cannot read the result file '{}': {}", file, std::generic_category().message(errno)));
  }
  return stream;
}

/// Checked before any other key: a newer schema may have renamed them.
void check_schema_version(const JsonTree& tree) {
  const auto found = tree.find(0, "schema_version");
  const auto version = found ? json_signed(tree.nodes()[*found].raw) : std::nullopt;
  if (version && *version > result_schema_version) {
    throw Error(ErrorKind::usage,
                fmt::format("schema version {} is newer than {}, the last one this program reads; "
                            "use a newer viaduct",
                            *version,
                            result_schema_version));
  }
}

std::string kind_of(const JsonTree& tree) {
  if (tree.nodes().front().kind != JsonNode::Kind::object) {
    throw Error(ErrorKind::usage, "a line must be a JSON object");
  }
  const auto found = tree.find(0, "record");
  if (!found || tree.nodes()[*found].kind != JsonNode::Kind::text) {
    throw Error(ErrorKind::usage,
                "the key 'record' is missing; this is not a line of a Viaduct result file");
  }
  return JsonFields(tree, "record").text("record");
}

/// Tables are as large as the ends say: those that the run cannot have are refused. Copies name
/// GPUs of a host, not ranks.
void expect_ends(const Measurement& m, const Manifest& manifest) {
  constexpr int most_gpus = 1024;
  const bool are_gpus = m.engine == Engine::copy;
  const int limit = are_gpus ? most_gpus : manifest.ranks;
  for (const auto& [key, end] : {std::pair("from", m.from), std::pair("to", m.to)}) {
    if (end && (*end < 0 || *end >= limit)) {
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "measurement: {}: {} is no {} of {}", key, *end, are_gpus ? "GPU" : "rank", limit));
    }
  }
}

/// Takes the lines of one file in order.
class LineReader {
 public:
  explicit LineReader(Result& result) : result_(result) {}

  [[nodiscard]] bool has_manifest() const { return has_manifest_; }

  void take(const JsonTree& tree) {
    const std::string kind = kind_of(tree);
    const JsonFields fields(tree, kind);
    check_order(kind);
    if (kind == "manifest") {
      check_schema_version(tree);
      result_.manifest = manifest_from_line(tree.nodes().front().raw);
      has_manifest_ = true;
    } else if (kind == "measurement") {
      result_.measurements.push_back(measurement_from(fields));
      expect_ends(result_.measurements.back(), result_.manifest);
    } else if (kind == "verdict") {
      result_.verdicts.push_back(verdict_from(fields));
    } else if (kind == "finding") {
      result_.findings.push_back(finding_from(fields));
    } else if (kind == "end") {
      result_.end = end_from(fields);
    } else if (kind == "evidence") {
      result_.evidences.push_back(path_evidence_from(fields));
    } else if (kind == "gate") {
      result_.gates.push_back(gate_verdict_from(fields));
    } else {
      throw Error(ErrorKind::usage,
                  fmt::format("unknown record '{}'; known: manifest, measurement, evidence, "
                              "verdict, finding, gate, end",
                              kind));
    }
  }

 private:
  void check_order(const std::string& kind) const {
    if (kind != "manifest" && !has_manifest_) {
      throw Error(ErrorKind::usage,
                  fmt::format("the first line must be the manifest, is '{}'", kind));
    }
    if (kind == "manifest" && has_manifest_) {
      throw Error(ErrorKind::usage, "a second manifest; a file holds one run");
    }
    if (result_.end) {
      throw Error(ErrorKind::usage, fmt::format("a line '{}' after the end of the run", kind));
    }
  }

  Result& result_;
  bool has_manifest_ = false;
};

}  // namespace

Result read_result(const std::string& file) {
  std::ifstream stream = open_file(file);
  Result result;
  result.file = file;
  LineReader reader(result);
  std::string text;
  std::size_t number = 0;
  JsonTree tree;
  while (std::getline(stream, text)) {
    ++number;
    const bool is_unended = stream.eof();
    const bool is_json = tree.parse(text);
    if (!is_json && text.starts_with("\xEF\xBB\xBF")) {
      refuse(file, number, "begins with a byte order mark; save the file as UTF-8 without one");
    }
    if (!is_json && is_unended) {
      result.last_line_torn = true;
      break;
    }
    if (!is_json) {
      refuse(file, number, "not JSON; a result file has one JSON object on each line");
    }
    try {
      reader.take(tree);
    } catch (const Error& error) {
      refuse(file, number, error.message());
    }
  }
  if (stream.bad()) {
    refuse(file, number + 1, "the file could not be read to its end");
  }
  if (!reader.has_manifest()) {
    const char* what =
        result.last_line_torn ? "the manifest is torn" : "no manifest; the file is empty";
    refuse(file, number == 0 ? 1 : number, what);
  }
  return result;
}

}  // namespace viaduct
