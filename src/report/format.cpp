#include "report/format.hpp"

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace viaduct {

const Format& find_format(std::string_view name) {
  std::vector<std::string> names;
  for (const Format* format : formats::all()) {
    if (name == format->name) {
      return *format;
    }
    names.emplace_back(format->name);
  }
  throw Error(ErrorKind::usage, unknown_name_message("format", name, names));
}

}  // namespace viaduct
