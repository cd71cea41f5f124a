"""Data files next to the code are read as plain data."""

from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.reading.languages.words import TRANSLATED


def test_every_language_has_the_same_parts_and_nothing_but_texts() -> None:
    parts = {"colors", "claims", "corrections", "actions", "turns", "keys"}
    for language in TRANSLATED:
        words = shipped_yaml("mirror_ray.reading.languages", f"{language}.yaml")
        assert parts <= words.keys() <= parts | {"joins", "surface_first"}, language
        of_lists = (words["claims"], words["actions"], words["keys"], words["colors"]["names"])
        said = [word for each in of_lists for some in each.values() for word in some]
        assert all(isinstance(word, str) and word == word.strip() for word in said), language
