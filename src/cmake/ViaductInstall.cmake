# What `cmake --install` lays down: a tree that runs wherever it is moved to. The programs find each other by lying
# side by side; plans and paths are inside them, and the copies in share/ are for people.

set(viaduct_program_targets "")
foreach(program viaduct viaduct-rank viaduct-worker)
  if(TARGET ${program})
    list(APPEND viaduct_program_targets ${program})
  endif()
endforeach()

# The programs without tests: what launch/quickstart builds.
add_custom_target(viaduct_programs DEPENDS ${viaduct_program_targets})

# MPI, CUDA and NCCL are not part of the tree: their folders, where they are not the system's, stay in the run path.
set_target_properties(${viaduct_program_targets} PROPERTIES
  INSTALL_RPATH "$ORIGIN/../lib" INSTALL_RPATH_USE_LINK_PATH ON)

include(GNUInstallDirs)
install(TARGETS ${viaduct_program_targets} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/results/viaduct-result.schema.json
  ${PROJECT_SOURCE_DIR}/results/viaduct-gates.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/viaduct/schema)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/viaduct/configs FILES_MATCHING PATTERN "*.json")
