// viaduct evidence: which path the bytes took, by NCCL's own logs.

#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "app/evidence_views.hpp"
#include "core/error.hpp"
#include "core/special_file.hpp"
#include "paths/nccl_log_reader.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace viaduct {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("evidence: {}: {}", file, why));
}

/// Compressed logs and other binary files soon have bytes that no log has.
void refuse_binary(const std::string& file, std::string_view first_piece) {
  const auto is_binary = [](char byte) {
    return (byte > '\0' && byte < '\a') || (byte > '\r' && byte < '\x1b');
  };
  if (std::any_of(first_piece.begin(), first_piece.end(), is_binary)) {
    refuse(file, "not a text file; NCCL logs are text, so unpack it first if it is compressed");
  }
}

/// A log that is cut while it is written (logrotate's copytruncate) has zero bytes where it was.
std::string without_zeros(std::string_view bytes) {
  std::string text(bytes);
  text.erase(std::remove(text.begin(), text.end(), '\0'), text.end());
  return text;
}

void read_stream(std::istream& in, const std::string& file, NcclLogReader& reader) {
  std::string piece(piece_bytes, '\0');
  std::size_t total = 0;
  std::size_t zeros = 0;
  reader.begin(file);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (total == 0) {
      refuse_binary(file, bytes);
    }
    total += bytes.size();
    const std::string text = without_zeros(bytes);
    zeros += bytes.size() - text.size();
    reader.append(text);
  }
  if (total == zeros) {
    refuse(file,
           zeros == 0 ? "empty; NCCL writes a log with NCCL_DEBUG=INFO" : "nothing but zero bytes");
  }
  if (zeros > 0) {
    fmt::print(stderr, "viaduct: evidence: {}: {} zero bytes left out\n", file, zeros);
  }
  reader.end();
}

void read_file(const std::string& file, NcclLogReader& reader) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    refuse(file, "a folder; name the log files in it");
  }
  if (is_special_file(file)) {
    refuse(file,
           "not a regular file; read it as standard input, `zcat LOG.gz | viaduct evidence -`");
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    refuse(file, std::strerror(errno));
  }
  read_stream(in, file, reader);
}

}  // namespace

int evidence_command(const std::vector<std::string>& words) {
  CLI::App app("Says which path NCCL took between each two ranks, by its logs.",
               "viaduct evidence");
  std::vector<std::string> files;
  bool as_json = false;
  app.add_option("LOG", files, "logs of NCCL_DEBUG=INFO, of one rank or of all; - reads from stdin")
      ->required();
  app.add_flag("--json", as_json, "one JSON document instead of words");
  if (!parse_command(app, words, "evidence")) {
    return 0;
  }
  NcclLogReader reader;
  for (const std::string& file : files) {
    if (file == "-") {
      read_stream(std::cin, "standard input", reader);
    } else {
      read_file(file, reader);
    }
  }
  const LogCounts& lines = reader.log().lines;
  if (lines.edges + lines.facts + lines.torn + lines.headless == 0) {
    refuse(
        fmt::format("{}", fmt::join(files, ", ")),
        fmt::format("none of {} lines is NCCL's; it writes a log with NCCL_DEBUG=INFO (output of "
                    "nvidia-smi is for viaduct topology --from)",
                    lines.read));
  }
  fmt::print("{}", as_json ? evidence_json(reader.log()) : evidence_text(reader.log()));
  return 0;
}

}  // namespace viaduct
