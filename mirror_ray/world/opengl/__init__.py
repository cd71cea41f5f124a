"""OpenGL: a context, canvases in it, and pixels as images."""
