# viaduct_layer(NAME SOURCES ... [LINK ...]): one static library for one layer folder.
# The arrows are the lists VIADUCT_USES_<layer> in src/CMakeLists.txt; tests/lint reads the same lists.

add_library(viaduct_options INTERFACE)
target_compile_options(viaduct_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 reports both, wrongly, inside std::string and std::optional at -O2 and above.
  target_compile_options(viaduct_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-maybe-uninitialized>)
endif()
if(VIADUCT_WERROR)
  target_compile_options(viaduct_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>)
endif()
if(VIADUCT_SANITIZE)
  target_compile_options(viaduct_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${VIADUCT_SANITIZE} -fno-omit-frame-pointer>)
  target_link_options(viaduct_options INTERFACE -fsanitize=${VIADUCT_SANITIZE})
endif()

function(viaduct_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;LINK" ${ARGN})
  add_library(viaduct_${name} STATIC ${LAYER_SOURCES})
  target_include_directories(viaduct_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(viaduct_${name} PRIVATE viaduct_options PUBLIC ${LAYER_LINK})
  foreach(used IN LISTS VIADUCT_USES_${name})
    target_link_libraries(viaduct_${name} PUBLIC viaduct_${used})
  endforeach()
endfunction()

# viaduct_registry(NAME NAMESPACE ENTRIES ...): writes registry.cpp with all() in the listed order, from the
# words of the list. An entry `x` is the file x.cpp with the function `const TYPE& x()`.
function(viaduct_registry out)
  cmake_parse_arguments(REG "" "TYPE;HEADER;NAMESPACE" "ENTRIES" ${ARGN})
  set(declarations "")
  set(calls "")
  foreach(entry IN LISTS REG_ENTRIES)
    string(APPEND declarations "const ${REG_TYPE}& ${entry}();\n")
    string(APPEND calls "      &${entry}(),\n")
  endforeach()
  set(VIADUCT_REGISTRY_HEADER ${REG_HEADER})
  set(VIADUCT_REGISTRY_NAMESPACE ${REG_NAMESPACE})
  set(VIADUCT_REGISTRY_TYPE ${REG_TYPE})
  set(VIADUCT_REGISTRY_DECLARATIONS "${declarations}")
  set(VIADUCT_REGISTRY_CALLS "${calls}")
  set(file ${CMAKE_CURRENT_BINARY_DIR}/registry.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/src/cmake/registry.cpp.in ${file} @ONLY)
  set(${out} ${file} PARENT_SCOPE)
endfunction()
