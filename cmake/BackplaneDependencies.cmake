# The libraries that the host is built on. Optional parts look for theirs themselves.

find_package(Boost 1.74 REQUIRED COMPONENTS filesystem log)
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(OpenSSL 1.1.1 REQUIRED COMPONENTS Crypto)
if(BACKPLANE_BUILD_TESTS)
  find_package(GTest REQUIRED)
  enable_testing()
endif()
