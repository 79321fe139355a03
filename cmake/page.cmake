# The page (build/web), the same as one file (attention-lab.html), and the command line for Node (attention-lab.js).
set(web ${CMAKE_SOURCE_DIR}/web)
set(page_folder ${CMAKE_SOURCE_DIR}/build/web CACHE PATH "Where the page is put")

# ---- the page ----------------------------------------------------------------------------------------------

set(link_options
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sGL_SUPPORT_AUTOMATIC_ENABLE_EXTENSIONS=0 # none is used, and the browser is waited for at each of thirty
  -sENVIRONMENT=web -sEXIT_RUNTIME=0
  # Browsers compile a function when it is first called: those that are called once stay by themselves.
  -Oz -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=40
  -sFILESYSTEM=0                             # not used, but a part of what a visit loads
  -sDYNAMIC_EXECUTION=0                      # the page's policy forbids eval
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=16MB -sSTACK_SIZE=256KB -sMALLOC=emmalloc
  -sMAXIMUM_MEMORY=2499936256                # 2.5 GB: what the largest models are read in (lessons/gpt_work.cpp)
  -sASSERTIONS=0 -sTEXTDECODER=1
  -sINCOMING_MODULE_JS_API=canvas,print,printErr,onAbort,onRuntimeInitialized,instantiateWasm,wasmBinary
  -sEXPORTED_FUNCTIONS=_main,_malloc,_free
  -sEXPORTED_RUNTIME_METHODS=HEAPU8,createContext)

add_executable(page src/main.cpp src/main_web.cpp)
target_link_libraries(page PRIVATE lab_app lab_platform)
set(within ${web}/mirror.js ${web}/pointers.js)   # parts of lab.js: each file of its own is waited for
list(TRANSFORM within PREPEND "SHELL:--pre-js " OUTPUT_VARIABLE pre_js)
target_link_options(page PRIVATE ${link_options} ${pre_js})
set_target_properties(page PROPERTIES OUTPUT_NAME lab RUNTIME_OUTPUT_DIRECTORY ${page_folder}
  LINK_DEPENDS "${within}")
add_custom_command(TARGET page POST_BUILD COMMAND node ${CMAKE_SOURCE_DIR}/cmake/eager.mjs $<TARGET_FILE:page> VERBATIM)

file(GLOB page_files CONFIGURE_DEPENDS ${web}/*.html ${web}/*.css ${web}/*.js)
list(REMOVE_ITEM page_files ${within})
list(APPEND page_files ${generated}/vocabulary.bin)
add_custom_command(OUTPUT page_files.stamp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${page_folder}
  COMMAND ${CMAKE_COMMAND} -E copy ${page_files} ${page_folder}
  COMMAND ${CMAKE_COMMAND} -E touch page_files.stamp
  DEPENDS ${page_files} VERBATIM)
add_custom_target(page_files ALL DEPENDS page_files.stamp)
add_dependencies(page page_files)

add_custom_command(OUTPUT compressed.stamp
  COMMAND node ${CMAKE_SOURCE_DIR}/cmake/compress.mjs ${page_folder}
  COMMAND ${CMAKE_COMMAND} -E touch compressed.stamp
  DEPENDS page page_files.stamp ${CMAKE_SOURCE_DIR}/cmake/compress.mjs VERBATIM)
add_custom_target(compressed ALL DEPENDS compressed.stamp)

# ---- one file that works from file:// ------------------------------------------------------------------------

add_custom_command(OUTPUT attention-lab.html
  COMMAND node ${CMAKE_SOURCE_DIR}/cmake/single_file.mjs ${page_folder} attention-lab.html
  DEPENDS compressed.stamp ${CMAKE_SOURCE_DIR}/cmake/single_file.mjs VERBATIM)
add_custom_target(single_file ALL DEPENDS attention-lab.html)

# ---- what Node runs --------------------------------------------------------------------------------------------

function(for_node target)                  # not optimized when linked: it is built more often than run
  target_link_options(${target} PRIVATE -O1)
  target_link_options(${target} PRIVATE -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1
    -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=16MB -sSTACK_SIZE=1MB -sASSERTIONS=0)
endfunction()

file(GLOB_RECURSE node_sources CONFIGURE_DEPENDS src/cli/*_node.cpp)
if(node_sources)
  add_executable(node_cli ${node_sources})
  target_link_libraries(node_cli PRIVATE lab_cli)
  set_target_properties(node_cli PROPERTIES OUTPUT_NAME attention-lab)
  for_node(node_cli)
endif()
