# SDL2: the window, the GL context, events and timers; the same sources natively and on the web.
set(LAB_SDL2 "" CACHE PATH "native: where a static SDL 2.32 is installed; empty: build it from its sources")

if(LAB_SDL2 AND NOT EMSCRIPTEN)
  find_package(SDL2 2.32 CONFIG REQUIRED PATHS ${LAB_SDL2} NO_DEFAULT_PATH)
  add_library(sdl2 ALIAS SDL2::SDL2-static)
  return()
endif()

FetchContent_Declare(sdl2 GIT_REPOSITORY https://github.com/libsdl-org/SDL.git GIT_TAG release-2.32.10
  GIT_SHALLOW ON SOURCE_SUBDIR none)
FetchContent_MakeAvailable(sdl2)

if(NOT EMSCRIPTEN)
  include(cmake/sdl2_native.cmake)
  set(SDL2_DISABLE_INSTALL ON CACHE BOOL "")
  add_subdirectory(${sdl2_SOURCE_DIR} ${CMAKE_BINARY_DIR}/sdl2 EXCLUDE_FROM_ALL SYSTEM)
  add_library(sdl2 ALIAS SDL2-static)
  return()
endif()

# SDL's own CMake runs hundreds of link checks, which take minutes under Emscripten. SDL ships a fixed
# configuration for it, so a list of sources is enough.
set(sources
  SDL.c SDL_assert.c SDL_dataqueue.c SDL_error.c SDL_guid.c SDL_hints.c SDL_list.c SDL_log.c SDL_utils.c
  atomic/SDL_atomic.c atomic/SDL_spinlock.c cpuinfo/SDL_cpuinfo.c dynapi/SDL_dynapi.c
  events/SDL_clipboardevents.c events/SDL_displayevents.c events/SDL_dropevents.c events/SDL_events.c
  events/SDL_gesture.c events/SDL_keyboard.c events/SDL_keysym_to_scancode.c events/SDL_mouse.c
  events/SDL_quit.c events/SDL_scancode_tables.c events/SDL_touch.c events/SDL_windowevents.c
  file/SDL_rwops.c filesystem/emscripten/SDL_sysfilesystem.c loadso/dlopen/SDL_sysloadso.c
  locale/SDL_locale.c locale/emscripten/SDL_syslocale.c misc/SDL_url.c misc/emscripten/SDL_sysurl.c
  render/SDL_render.c render/SDL_yuv_sw.c stdlib/SDL_crc16.c stdlib/SDL_crc32.c stdlib/SDL_getenv.c stdlib/SDL_iconv.c stdlib/SDL_malloc.c
  stdlib/SDL_qsort.c stdlib/SDL_stdlib.c stdlib/SDL_string.c stdlib/SDL_strtokr.c
  thread/SDL_thread.c thread/generic/SDL_syscond.c thread/generic/SDL_sysmutex.c
  thread/generic/SDL_syssem.c thread/generic/SDL_systhread.c thread/generic/SDL_systls.c
  timer/SDL_timer.c timer/unix/SDL_systimer.c
  video/SDL_RLEaccel.c video/SDL_blit.c video/SDL_blit_0.c video/SDL_blit_1.c video/SDL_blit_A.c
  video/SDL_blit_N.c video/SDL_blit_auto.c video/SDL_blit_copy.c video/SDL_blit_slow.c video/SDL_bmp.c
  video/SDL_clipboard.c video/SDL_egl.c video/SDL_fillrect.c video/SDL_pixels.c video/SDL_rect.c
  video/SDL_shape.c video/SDL_stretch.c video/SDL_surface.c video/SDL_video.c video/SDL_yuv.c
  video/yuv2rgb/yuv_rgb_std.c
  video/emscripten/SDL_emscriptenevents.c video/emscripten/SDL_emscriptenframebuffer.c
  video/emscripten/SDL_emscriptenmouse.c video/emscripten/SDL_emscriptenopengles.c
  video/emscripten/SDL_emscriptenvideo.c)
list(TRANSFORM sources PREPEND ${sdl2_SOURCE_DIR}/src/)
add_library(sdl2 STATIC ${sources})
target_include_directories(sdl2 SYSTEM PUBLIC ${sdl2_SOURCE_DIR}/include)
target_compile_definitions(sdl2 PRIVATE SDL_AUDIO_DISABLED SDL_JOYSTICK_DISABLED SDL_SENSOR_DISABLED
  SDL_RENDER_DISABLED SDL_POWER_DISABLED SDL_LEAN_AND_MEAN=1)   # lean: no copying between kinds of pictures
target_compile_options(sdl2 PRIVATE -w -Oz -fno-strict-overflow)
