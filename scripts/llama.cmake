# Read by CMake after each project() of llama-cpp-python, whose own switches do not reach as far.
# Scrubjay needs the library that embeds, soon: it neither chats nor opens pictures.

if(PROJECT_NAME STREQUAL "llama.cpp")
  # llama-cpp-python switches it on; only the library for pictures uses it.
  set(LLAMA_BUILD_COMMON OFF)
  # What is below here reads files and plans; compiling it takes half as long so.
  if(NOT MSVC)
    string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  endif()
elseif(PROJECT_NAME STREQUAL "ggml")
  # This is what computes.
  if(NOT MSVC)
    string(REPLACE "-O1" "-O3" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  endif()
endif()
