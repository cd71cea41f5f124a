"""The looks a room may have; no pixel is drawn here, so that planning need not load MuJoCo."""

from typing import Literal

Look = Literal["plain", "lit", "furnished"]
"""Flat and evenly lit; with one lamp, shadows and textures; also with things on walls and floor."""
