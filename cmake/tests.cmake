# Tests in C++: lab_tests (numbers and lessons; natively and under Node) and lab_draw_tests (native, EGL without
# a display). `./lab test` runs them and those of tests/web.
function(lab_tests name folders)
  set(sources)
  foreach(folder ${folders})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS tests/${folder}/*.cpp tests/${folder}/*.hpp)
    list(FILTER found EXCLUDE REGEX ${foreign})
    list(APPEND sources ${found})
  endforeach()
  add_executable(${name} EXCLUDE_FROM_ALL tests/main.cpp ${sources})
  target_include_directories(${name} PRIVATE tests)
  target_compile_definitions(${name} PRIVATE LAB_FIXTURES="${CMAKE_SOURCE_DIR}/tests/fixtures"
    LAB_SOURCE="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE doctest ${ARGN})
  target_compile_options(${name} PRIVATE -O0)    # built more often than run
  lab_precompiled(${name} <Eigen/Core> <doctest.h>)
  set_source_files_properties(tests/main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS -O0)
endfunction()

lab_tests(lab_tests "core;lessons" lab_cli)
if(EMSCRIPTEN)
  for_node(lab_tests)
else()
  lab_tests(lab_draw_tests "draw" lab_app lab_platform lab_cli)
  # Measures and asserts no time: ./lab bench
  add_executable(lab_bench EXCLUDE_FROM_ALL tests/bench/bench.cpp)
  target_link_libraries(lab_bench PRIVATE lab_app lab_platform json)
endif()
