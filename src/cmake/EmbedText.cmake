# viaduct_embed_text(OUT NAMESPACE FUNCTION FILE): a .cpp with `std::string_view FUNCTION()` that returns FILE.
function(viaduct_embed_text out namespace function file)
  set(target ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  # A string literal may be limited to 64 KiB by a compiler: the text is cut into several that join.
  string(LENGTH "${text}" length)
  set(body "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND body "R\"~viaduct~(${piece})~viaduct~\"\n    ")
    math(EXPR at "${at} + 8000")
  endwhile()
  file(CONFIGURE OUTPUT ${target} @ONLY CONTENT
"// Made by CMake from ${file}.
#include <string_view>

namespace ${namespace} {

std::string_view ${function}();

std::string_view ${function}() {
  return @body@;
}

}  // namespace ${namespace}
")
  set(${out} ${target} PARENT_SCOPE)
endfunction()

# viaduct_embed_list(OUT NAMESPACE FUNCTION FILES...): the files, and a .cpp with `FUNCTION()` that returns name
# (without folder and extension) and text of each, in the order given. OUT gets all the .cpp files.
function(viaduct_embed_list out namespace function)
  set(sources "")
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME_WE)
    viaduct_embed_text(source ${namespace} ${function}_${name} ${file})
    list(APPEND sources ${source})
    string(APPEND declarations "std::string_view ${function}_${name}();\n")
    string(APPEND entries "      {\"${name}\", ${function}_${name}()},\n")
  endforeach()
  set(target ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  file(CONFIGURE OUTPUT ${target} @ONLY CONTENT
"// Made by CMake.
#include <string_view>
#include <utility>
#include <vector>

namespace @namespace@ {

using Entries = std::vector<std::pair<std::string_view, std::string_view>>;

@declarations@
const Entries& @function@();

const Entries& @function@() {
  static const Entries entries{
@entries@  };
  return entries;
}

}  // namespace @namespace@
")
  set(${out} ${sources} ${target} PARENT_SCOPE)
endfunction()
