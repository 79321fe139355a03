#include "draw/heatmap.hpp"

#include <GLES3/gl3.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "draw/theme.hpp"
#include "shaders.hpp"

namespace lab {
namespace {

constexpr unsigned char kMasked = 1, kNan = 2, kPlusInfinity = 4, kMinusInfinity = 8;
constexpr int kFramesKept = 240;  // a texture not drawn for so many frames is freed
constexpr float kSeen = .16f;     // of the map: the least tint that is not taken for white, as in the shader

unsigned char kind_of(float value, bool masked) {
  unsigned char kind = masked ? kMasked : 0;
  if (std::isnan(value)) kind |= kNan;
  if (std::isinf(value)) kind |= value > 0 ? kPlusInfinity : kMinusInfinity;
  return kind;
}

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

void make_texture(GLuint& name) {
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  // Neither format can be filtered, and texelFetch needs no filter.
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace

// Plain data: ImDrawList::AddCallback copies it.
struct Heatmaps::Call {
  const Heatmaps* owner;
  GLuint values, kinds;
  int rows, cols;
  CellGrid grid;
  HeatLook look;
};

unsigned Heatmaps::compile(unsigned kind, const char* source) {
  const char* parts[] = {"#version 300 es\n", source};
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 2, parts, nullptr);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (!ok) {
    char text[2048] = "";
    glGetShaderInfoLog(shader, sizeof text, nullptr, text);
    log_ += text;
  }
  return shader;
}

bool Heatmaps::create() {
  log_.clear();
  uploads_ = 0;
  const GLuint vertex = compile(GL_VERTEX_SHADER, shaders::heatmap_vert);
  const GLuint fragment = compile(GL_FRAGMENT_SHADER, shaders::heatmap_frag);
  program_ = glCreateProgram();
  glAttachShader(program_, vertex);
  glAttachShader(program_, fragment);
  glLinkProgram(program_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint ok = 0;
  glGetProgramiv(program_, GL_LINK_STATUS, &ok);
  if (!ok) {
    log_ += "the heatmap program does not link\n";
    return false;
  }
  const auto place = [&](const char* name) { return glGetUniformLocation(program_, name); };
  uniforms_ = {
      .rect = place("uRect"),
      .values = place("uValues"),
      .kinds = place("uKinds"),
      .origin = place("uOrigin"),
      .cell = place("uCell"),
      .canvas_height = place("uCanvasHeight"),
      .hatch = place("uHatch"),
      .line = place("uLine"),
      .max = place("uMax"),
      .least = place("uLeast"),
      .fade = place("uFade"),
      .opacity = place("uOpacity"),
      .is_signed = place("uSigned"),
      .later_is_red = place("uLaterIsRed"),
      .dark = place("uDark"),
  };
  glGenVertexArrays(1, &vertex_array_);
  return true;
}

void Heatmaps::forget() {
  program_ = 0;
  vertex_array_ = 0;
  slots_.clear();
}

void Heatmaps::destroy() {
  for (auto& [name, slot] : slots_) {
    const GLuint textures[] = {slot.values, slot.kinds};
    glDeleteTextures(2, textures);
  }
  glDeleteProgram(program_);
  glDeleteVertexArrays(1, &vertex_array_);
  forget();
}

void Heatmaps::upload(Slot& slot, int rows, int cols, bool fresh) {
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  if (fresh) {
    make_texture(slot.values);
    make_texture(slot.kinds);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glBindTexture(GL_TEXTURE_2D, slot.values);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, cols, rows, 0, GL_RED, GL_FLOAT, numbers_.data());
  glBindTexture(GL_TEXTURE_2D, slot.kinds);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, cols, rows, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, kinds_.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glBindTexture(GL_TEXTURE_2D, GLuint(bound));
  slot.rows = rows;
  slot.cols = cols;
  slot.numbers = numbers_;
  slot.cell_kinds = kinds_;
  ++uploads_;
}

void Heatmaps::draw(ImDrawList* list, const std::string& name, const FloatView& values, const MaskView& mask,
                    const CellGrid& grid, const HeatLook& look) {
  if (!program_ || values.rows <= 0 || values.cols <= 0) return;
  const std::size_t size = std::size_t(values.rows) * std::size_t(values.cols);
  numbers_.resize(size);
  kinds_.resize(size);
  std::size_t i = 0;
  for (int r = 0; r < values.rows; ++r) {
    for (int c = 0; c < values.cols; ++c, ++i) {
      const float value = values(r, c);
      numbers_[i] = std::isfinite(value) ? value : 0;
      kinds_[i] = kind_of(value, mask(r, c));
    }
  }
  Slot& slot = slots_[name];
  const bool fresh = slot.values == 0;
  const bool same = !fresh && slot.rows == values.rows && slot.cols == values.cols &&
                    same_bytes(slot.numbers, numbers_) && same_bytes(slot.cell_kinds, kinds_);
  if (!same) upload(slot, values.rows, values.cols, fresh);
  slot.last_drawn = frame_;

  Call call{this, slot.values, slot.kinds, values.rows, values.cols, grid, look};
  list->AddCallback(render, &call, sizeof call);
  list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void Heatmaps::render(const ImDrawList*, const ImDrawCmd* command) {
  const Call& call = *static_cast<const Call*>(command->UserCallbackData);
  const Uniforms& u = call.owner->uniforms_;
  const ImVec2 canvas = ImGui::GetDrawData()->DisplaySize;  // device pixels: the framebuffer scale is 1
  const float left = float(call.grid.x);
  const float top = float(call.grid.y);
  const float right = left + float(call.cols * call.grid.cell_w);
  const float bottom = top + float(call.rows * call.grid.cell_h);

  // The backend sets no scissor for callbacks.
  const ImVec4& clip = command->ClipRect;
  const int clip_w = std::max(0, int(clip.z) - int(clip.x));
  const int clip_h = std::max(0, int(clip.w) - int(clip.y));
  glScissor(int(clip.x), int(canvas.y) - int(clip.w), clip_w, clip_h);

  glUseProgram(call.owner->program_);
  glBindVertexArray(call.owner->vertex_array_);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, call.kinds);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, call.values);
  glUniform4f(u.rect, left / canvas.x * 2 - 1, 1 - top / canvas.y * 2, right / canvas.x * 2 - 1,
              1 - bottom / canvas.y * 2);
  glUniform1i(u.values, 0);
  glUniform1i(u.kinds, 1);
  glUniform2i(u.origin, call.grid.x, call.grid.y);
  glUniform2i(u.cell, call.grid.cell_w, call.grid.cell_h);
  glUniform1i(u.canvas_height, int(canvas.y));
  const float cell = float(std::min(call.grid.cell_w, call.grid.cell_h));
  glUniform1i(u.hatch, cell >= 24 ? 2 : 1);
  glUniform1f(u.line, std::max(1.f, std::floor(cell / 44)));
  glUniform1f(u.max, std::max(1e-30f, call.look.max));
  glUniform1f(u.least, call.look.least);
  glUniform1f(u.fade, call.look.fade);
  glUniform1f(u.opacity, call.look.opacity);
  glUniform1i(u.is_signed, call.look.is_signed);
  glUniform1i(u.later_is_red, call.look.later_is_red);
  glUniform1i(u.dark, call.look.dark);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void Heatmaps::end_frame() {
  for (auto it = slots_.begin(); it != slots_.end();) {
    if (frame_ - it->second.last_drawn < kFramesKept) {
      ++it;
      continue;
    }
    const GLuint textures[] = {it->second.values, it->second.kinds};
    glDeleteTextures(2, textures);
    it = slots_.erase(it);
  }
  ++frame_;
}

ImU32 heat_color(float value, const HeatLook& look, bool later) {
  float t = value / std::max(1e-30f, look.max);
  const bool red = look.later_is_red && later;
  if (red && value > look.least) t = std::max(t, kSeen);
  if (look.is_signed || red) {
    const ImU32 zero = look.dark ? rgb(0x24252C) : rgb(0xFCFCFC);
    const ImU32 minus = look.dark ? rgb(0x4D96DC) : rgb(0x2166AC);
    const ImU32 plus = look.dark ? rgb(0xE25454) : rgb(0xB2182B);
    return mix(zero, t < 0 ? minus : plus, std::min(std::fabs(t), 1.f));
  }
  const ImU32 low = look.dark ? rgb(0x201F28) : rgb(0xFAF9FC);
  const ImU32 middle = look.dark ? rgb(0x7C5CD6) : rgb(0xA78BFA);
  const ImU32 high = look.dark ? rgb(0xEDE6FF) : rgb(0x3B0764);
  return t < .5f ? mix(low, middle, t * 2) : mix(middle, high, std::min(t, 1.f) * 2 - 1);
}

}  // namespace lab
