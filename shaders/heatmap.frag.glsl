// One matrix as coloured cells. Everything is counted in whole device pixels from the top left corner of the
// matrix, so that no pixel lies in two cells.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;

uniform sampler2D uValues;   // R32F; what is not finite is stored as 0
uniform usampler2D uKinds;   // R8UI: what kind of cell it is
uniform ivec2 uOrigin;       // device pixels from the top left of the canvas
uniform ivec2 uCell;         // device pixels a cell is wide and high
uniform int uCanvasHeight;   // device pixels
uniform int uHatch;          // hatching lines a cell
uniform float uLine;         // width of a hatching line, device pixels
uniform float uMax;          // the value at the end of the map
uniform float uLeast;        // a larger value right of the diagonal is seen, however small
uniform float uFade;         // 0: masked cells show their value, 1: they are hatched
uniform float uOpacity;
uniform bool uSigned;        // diverging map around 0, or sequential from 0
uniform bool uLaterIsRed;    // right of the diagonal in the red of the diverging map
uniform bool uDark;

out vec4 color;

const float kSeen = 0.16;  // of the map: the least tint that is not taken for white

const uint kMasked = 1u, kNan = 2u, kPlusInfinity = 4u, kMinusInfinity = 8u;

vec3 rgb(int r, int g, int b) { return vec3(r, g, b) / 255.0; }

vec3 diverging(float t) {
  vec3 zero = uDark ? rgb(36, 37, 44) : rgb(252, 252, 252);
  vec3 minus = uDark ? rgb(77, 150, 220) : rgb(33, 102, 172);
  vec3 plus = uDark ? rgb(226, 84, 84) : rgb(178, 24, 43);
  return mix(zero, t < 0.0 ? minus : plus, min(abs(t), 1.0));
}

vec3 sequential(float t) {
  vec3 low = uDark ? rgb(32, 31, 40) : rgb(250, 249, 252);
  vec3 middle = uDark ? rgb(124, 92, 214) : rgb(167, 139, 250);
  vec3 high = uDark ? rgb(237, 230, 255) : rgb(59, 7, 100);
  t = clamp(t, 0.0, 1.0);
  return t < 0.5 ? mix(low, middle, t * 2.0) : mix(middle, high, t * 2.0 - 1.0);
}

// Distance in device pixels from the nearest of the lines a*x + b*y = whole number, x and y in cells.
float from_lines(vec2 within, float a, float b) {
  float at = a * within.x + b * within.y;
  float off = abs(at - floor(at + 0.5));
  return off / length(vec2(a, b) / vec2(uCell));
}

float ink(float distance) { return clamp(uLine * 0.5 + 0.5 - distance, 0.0, 1.0); }

// A triangle over most of the cell, pointing up or down.
float wedge(vec2 within, bool up) {
  float y = up ? within.y : 1.0 - within.y;
  float half_width = (y - 0.16) * 0.5 / 0.68 * 0.76;
  return y < 0.84 && abs(within.x - 0.5) < half_width ? 1.0 : 0.0;
}

void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), uCanvasHeight - 1 - int(gl_FragCoord.y)) - uOrigin;
  ivec2 cell = pixel / uCell;
  vec2 within = (vec2(pixel - cell * uCell) + 0.5) / vec2(uCell);  // 0 … 1, of the pixel's middle
  uint kind = texelFetch(uKinds, cell, 0).r;
  float t = texelFetch(uValues, cell, 0).r / uMax;

  bool red = uLaterIsRed && cell.x > cell.y;
  if (red && t * uMax > uLeast) t = max(t, kSeen);

  vec3 shown = uSigned || red ? diverging(t) : sequential(t);
  if ((kind & kNan) != 0u) {
    vec3 ground = uDark ? rgb(58, 42, 16) : rgb(253, 230, 190);
    vec3 cross = uDark ? rgb(150, 106, 34) : rgb(205, 140, 50);
    float lines = max(ink(from_lines(within, 1.0, 1.0) - uLine), ink(from_lines(within, 1.0, -1.0) - uLine));
    shown = mix(ground, cross, lines);
  } else if ((kind & kPlusInfinity) != 0u) {
    shown = mix(uDark ? rgb(76, 24, 30) : rgb(178, 24, 43), uDark ? rgb(160, 62, 66) : rgb(84, 6, 18),
                wedge(within, true));
  } else if ((kind & kMinusInfinity) != 0u) {
    shown = mix(uDark ? rgb(20, 40, 66) : rgb(33, 102, 172), uDark ? rgb(52, 104, 160) : rgb(10, 42, 84),
                wedge(within, false));
  }
  if ((kind & kMasked) != 0u) {
    vec3 ground = uDark ? rgb(26, 27, 32) : rgb(239, 237, 231);
    vec3 line = uDark ? rgb(52, 54, 62) : rgb(214, 210, 200);
    float n = float(uHatch);
    shown = mix(shown, mix(ground, line, ink(from_lines(within, n, n))), uFade);
  }
  color = vec4(shown, uOpacity);
}
