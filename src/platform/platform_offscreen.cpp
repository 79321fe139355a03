// Natively, a GL ES 3 context without a display: for screenshots and tests of pixels.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>

#include <cmath>
#include <cstring>

#include "platform/native.hpp"

namespace lab::platform {
namespace {

struct Offscreen {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GLuint framebuffer = 0, color = 0;
  Surface surface;
};
Offscreen& offscreen() {
  static Offscreen state;
  return state;
}

bool has_extension(const char* all, const char* name) { return all && std::strstr(all, name); }

EGLDisplay surfaceless_display() {
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (!has_extension(client, "EGL_MESA_platform_surfaceless")) return eglGetDisplay(EGL_DEFAULT_DISPLAY);
  const auto get_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  return get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

bool make_context(Offscreen& o) {
  if (o.context != EGL_NO_CONTEXT) return true;
  o.display = surfaceless_display();
  if (o.display == EGL_NO_DISPLAY || !eglInitialize(o.display, nullptr, nullptr)) {
    return fail("no EGL display without a screen (Debian: libegl1, libgl1-mesa-dri)");
  }
  eglBindAPI(EGL_OPENGL_ES_API);
  const EGLint want[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint found = 0;
  eglChooseConfig(o.display, want, &config, 1, &found);
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
  o.context = eglCreateContext(o.display, found > 0 ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
  if (o.context == EGL_NO_CONTEXT) return fail("EGL gives no OpenGL ES 3 context");
  if (!eglMakeCurrent(o.display, EGL_NO_SURFACE, EGL_NO_SURFACE, o.context)) {
    return fail("EGL cannot draw without a surface");
  }
  return true;
}

}  // namespace

// May be called again for another size; the context stays.
bool open_offscreen(int width, int height, float scale) {
  Offscreen& o = offscreen();
  if (!make_context(o)) return false;
  o.surface = {int(std::round(float(width) * scale)), int(std::round(float(height) * scale)), scale};
  if (!o.framebuffer) {
    glGenFramebuffers(1, &o.framebuffer);
    glGenRenderbuffers(1, &o.color);
  }
  glBindRenderbuffer(GL_RENDERBUFFER, o.color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, o.surface.width, o.surface.height);
  glBindFramebuffer(GL_FRAMEBUFFER, o.framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, o.color);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    return fail("no picture of this size can be drawn here");
  }
  return true;
}

bool is_offscreen() { return offscreen().context != EGL_NO_CONTEXT; }
Surface offscreen_surface() { return offscreen().surface; }

}  // namespace lab::platform
