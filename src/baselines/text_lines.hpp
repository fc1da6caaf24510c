#pragma once
// The lines of a job's output, without what launchers put before them. It knows prefixes, not what
// the lines say.

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace viaduct {

struct TextLine {
  std::size_t number = 0;   ///< from 1
  std::string_view stream;  ///< what a launcher's prefix says of the rank, "1,0"; empty: no prefix
  std::string_view text;    ///< without prefix and line end
};

/// Takes off `[1,0]<stdout>:` (Open MPI, PRRTE), `0: ` (srun -l), `[0] ` (Hydra), `host: ` (pdsh,
/// before a comment or a row), `[pod/...] `, `(name pid=1, ip=2) ` (Ray) and leading ISO 8601
/// times. Points into `line`.
TextLine without_prefix(std::string_view line);

/// One line after the other. Ends of lines are \n, \r\n, or the end of the text.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}

  /// False: no more.
  bool next(TextLine& line);

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Words between blanks; at most `most`, the rest is left out.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most = 256);

std::string_view trimmed(std::string_view text);

/// Whether `holds` for some line that has `mark` in it; it gets the line without prefix and blanks.
/// Every line is looked at once, however often the mark stands in it.
bool any_line_with(std::string_view text,
                   std::string_view mark,
                   const std::function<bool(std::string_view)>& holds);

bool is_digit(char c);

}  // namespace viaduct
