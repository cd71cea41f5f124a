"""One name, one thing: no two public classes of the engine and what it writes are called alike."""

import ast
import re
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "mirror_ray"
OF_ONE_READER = ("engine", "records", "replay", "sweep")
METAPHORS = re.compile(
    r"\b(turnstile|visitors?|stakes?|seating|crew|muster|courier|scribe|darkroom|reel|screening"
    r"|onlooker|purse)\b",
    re.IGNORECASE,
)
"""Earlier names of processes and their parts, which have the field's terms now."""


def test_no_public_class_name_stands_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for package in OF_ONE_READER:
        for file in sorted((PACKAGE / package).rglob("*.py")):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(file.relative_to(PACKAGE).as_posix())
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_private_metaphor_comes_back() -> None:
    read, found = 0, []
    for package in (*OF_ONE_READER, "cli", "viewer", "providers", "world"):
        for file in sorted((PACKAGE / package).rglob("*.py")):
            read += 1
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                if METAPHORS.search(line):
                    found.append(f"{file.relative_to(PACKAGE)}:{number}: {line.strip()}")
    assert read > 200
    assert found == []
