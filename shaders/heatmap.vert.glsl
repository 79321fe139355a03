// A rectangle without a vertex buffer: corner n of a triangle strip.
uniform vec4 uRect;  // left, top, right, bottom in clip space

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(uRect.xy, uRect.zw, corner), 0.0, 1.0);
}
