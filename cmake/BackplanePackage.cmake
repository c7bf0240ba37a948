# The CMake package: find_package(Backplane) gives Backplane::plugin-api, Backplane::host,
# Backplane::core, Backplane::onnx when it was built, and backplane_add_backend. Beside it the guides
# are installed, and the examples that they begin with.

install(FILES
  docs/CONFORMANCE.md
  docs/DIAGNOSTICS.md
  docs/application-guide.md
  docs/backend-developer-guide.md
  docs/c-backend-guide.md
  docs/check-backend.schema.json
  docs/accuracy.md
  docs/cpuacc.md
  docs/cpuacc-speed.svg
  docs/tensor-handles.md
  docs/environment.md
  docs/isolation.md
  docs/execute-network.md
  docs/execute-network.schema.json
  docs/lifecycle.md
  docs/list-backends.schema.json
  docs/trace.schema.json
  docs/onnx-models.md
  docs/performance.md
  docs/operators-guide.md
  docs/rust-backend-guide.md
  docs/stability.md
  docs/threads.md
  docs/trust.md
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY examples/c-backend examples/fusing-backend examples/import-a-model
  examples/minimal-backend examples/own-memory-backend examples/run-a-network examples/run-in-time
  examples/rust-backend
  DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")

set(BACKPLANE_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/Backplane")

install(EXPORT BackplaneTargets NAMESPACE Backplane:: DESTINATION "${BACKPLANE_PACKAGE_DIR}")
configure_package_config_file(cmake/BackplaneConfig.cmake.in
  "${PROJECT_BINARY_DIR}/BackplaneConfig.cmake"
  INSTALL_DESTINATION "${BACKPLANE_PACKAGE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/BackplaneConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/BackplaneConfig.cmake"
  "${PROJECT_BINARY_DIR}/BackplaneConfigVersion.cmake"
  cmake/BackplaneAddBackend.cmake
  cmake/backend_exports.map
  DESTINATION "${BACKPLANE_PACKAGE_DIR}")
