#pragma once
// From a file or a text of another tool to a Baseline, by the reader that recognises it.

#include "baselines/baseline.hpp"

#include <string>
#include <string_view>

namespace viaduct {

/// A file as text, whole. Throws Error(usage) that names the file: not there, a folder, no regular
/// file, empty, binary, UTF-16, larger than 4 GiB.
std::string read_text_file(const std::string& file);

/// `format` is the name of a reader; empty: found out. `file` stands in messages. Throws
/// Error(usage) when no reader recognises the text, the format is unknown, or the text cannot be
/// read at all. NUL bytes are read as blanks, and a note counts them.
Baseline import_text(std::string_view text,
                     const std::string& file,
                     const std::string& format = "");

/// Why there is nothing to report, in one line; empty: there is something.
std::string why_nothing(const Baseline& baseline);

}  // namespace viaduct
