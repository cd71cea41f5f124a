"""Titles and texts of the report's sections, figures and tables."""

from mirror_ray.core.shipped_files import shipped_yaml

NO_INTERVAL = {"low": None, "high": None}
"""The ends of a point without an interval."""

_TEXTS = shipped_yaml("mirror_ray.families.metacog.sections", "texts.yaml")


def section_texts(name: str) -> tuple[str, str, str]:
    """Return the name, the title and the text of a part of the report."""
    return name, _TEXTS[name]["title"], _TEXTS[name]["text"]
