"""How replies in several languages are read."""

from typing import Literal

Language = Literal["en", "de", "es", "zh", "ja"]
"""English, German, Spanish, Chinese (simplified), Japanese: ISO 639-1 codes."""
