// Placeholder: opens a window and clears it.
#include <GLES3/gl3.h>
#include <SDL.h>

int main(int, char**) {
  SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, "#canvas");
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return SDL_Log("%s", SDL_GetError()), 1;
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_Window* window = SDL_CreateWindow("Attention Lab", 0, 0, 800, 600, SDL_WINDOW_OPENGL);
  if (!window || !SDL_GL_CreateContext(window)) return SDL_Log("%s", SDL_GetError()), 1;
  glClearColor(0.97f, 0.96f, 0.95f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  SDL_GL_SwapWindow(window);
  return 0;
}
