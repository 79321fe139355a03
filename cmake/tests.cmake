# Tests in C++: lab_tests (numbers and lessons; natively and under Node) and lab_draw_tests (native, EGL without
# a display). `./lab test` runs them and those of tests/web.
function(lab_tests name folders)
  set(sources)
  foreach(folder ${folders})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS tests/${folder}/*.cpp tests/${folder}/*.hpp)
    list(FILTER found EXCLUDE REGEX ${foreign})
    list(APPEND sources ${found})
  endforeach()
  add_executable(${name} EXCLUDE_FROM_ALL ${sources})
  target_include_directories(${name} PRIVATE tests)
  target_compile_definitions(${name} PRIVATE LAB_FIXTURES="${CMAKE_SOURCE_DIR}/tests/fixtures"
    LAB_SOURCE="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE doctest_main doctest ${ARGN})
  target_compile_options(${name} PRIVATE -O0)    # built more often than run
endfunction()

add_library(doctest_main OBJECT EXCLUDE_FROM_ALL tests/main.cpp)
target_link_libraries(doctest_main PRIVATE lab_flags doctest)
target_compile_options(doctest_main PRIVATE -O0)

lab_tests(lab_tests "core;lessons" lab_cli)
lab_precompiled(lab_tests <Eigen/Core> <doctest.h>)
if(EMSCRIPTEN)
  for_node(lab_tests)
else()
  lab_tests(lab_draw_tests "draw" lab_app lab_platform lab_cli)
  lab_precompiled(lab_draw_tests lab_tests)
  add_executable(lab_monkey EXCLUDE_FROM_ALL tests/fuzz/monkey.cpp tests/core/atlas_check.cpp)    # ./lab fuzz
  target_include_directories(lab_monkey PRIVATE tests)
  target_link_libraries(lab_monkey PRIVATE lab_app lab_platform lab_cli)
  # Measures and asserts no time: ./lab bench
  add_executable(lab_bench EXCLUDE_FROM_ALL tests/bench/bench.cpp)
  target_link_libraries(lab_bench PRIVATE lab_app lab_platform json)
endif()
