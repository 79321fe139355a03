# The libraries. `./lab` points FETCHCONTENT_SOURCE_DIR_<NAME> at sources that came as Debian packages; without
# that, CMake fetches the tags below from upstream.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)

function(declare name repository tag)      # sources only: their own CMake files are not read
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SOURCE_SUBDIR none)
endfunction()
declare(eigen https://gitlab.com/libeigen/eigen.git 5.0.1)
declare(imgui https://github.com/ocornut/imgui.git v1.92.2b)
declare(json https://github.com/nlohmann/json.git v3.11.3)
declare(doctest https://github.com/doctest/doctest.git v2.4.11)
FetchContent_MakeAvailable(eigen imgui json doctest)

add_library(eigen INTERFACE)
target_include_directories(eigen SYSTEM INTERFACE ${eigen_SOURCE_DIR})
target_compile_definitions(eigen INTERFACE EIGEN_MPL2_ONLY EIGEN_DONT_VECTORIZE)

add_library(json INTERFACE)
target_include_directories(json SYSTEM INTERFACE ${json_SOURCE_DIR}/single_include)
target_compile_definitions(json INTERFACE JSON_USE_IMPLICIT_CONVERSIONS=0 $<$<BOOL:${EMSCRIPTEN}>:JSON_NOEXCEPTION>)

add_library(doctest INTERFACE)
target_include_directories(doctest SYSTEM INTERFACE ${doctest_SOURCE_DIR}/doctest)
target_compile_definitions(doctest INTERFACE DOCTEST_CONFIG_SUPER_FAST_ASSERTS
  $<$<BOOL:${EMSCRIPTEN}>:DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS>)

# OpenGL ES 3, natively too, so that the shaders are the same.
add_library(gl INTERFACE)
if(NOT EMSCRIPTEN)
  find_library(GLESv2 GLESv2 REQUIRED)
  find_library(EGL EGL REQUIRED)
  target_link_libraries(gl INTERFACE ${GLESv2} ${EGL})
  find_package(PNG REQUIRED)
  add_library(png ALIAS PNG::PNG)
endif()

include(cmake/sdl2.cmake)

# Linked, and hardly ever called: the lab draws its own widgets.
set(imgui_unused ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
  ${imgui_SOURCE_DIR}/imgui_widgets.cpp)
add_library(imgui STATIC ${imgui_unused} ${imgui_SOURCE_DIR}/imgui_draw.cpp
  ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends)
target_compile_definitions(imgui PUBLIC IMGUI_USE_WCHAR32 IMGUI_IMPL_OPENGL_ES3 IMGUI_DISABLE_OBSOLETE_FUNCTIONS
  IMGUI_DISABLE_DEFAULT_FONT IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS)
target_link_libraries(imgui PUBLIC gl)

if(NOT EMSCRIPTEN)                         # the page feeds ImGui from Pointer Events instead
  add_library(imgui_sdl2 STATIC ${imgui_SOURCE_DIR}/backends/imgui_impl_sdl2.cpp)
  target_link_libraries(imgui_sdl2 PUBLIC imgui sdl2)
endif()
