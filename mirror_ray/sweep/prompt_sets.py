"""The prompt sets that a stage names: read, checked against the family's own texts, and hashed.

A set is a YAML file, or a folder of YAML files, that rewords some of the family's texts. The
resolved sweep contains the texts, so that a run directory needs no file."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mirror_ray.contract.prompt_texts import OWN_SET, PROMPTS, default_texts, flattened, slots_of
from mirror_ray.core.bounded_files import MOST_CONFIG_BYTES, read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.identity import content_hash
from mirror_ray.core.plain_yaml import read_yaml
from mirror_ray.core.spelling import did_you_mean

SETS = "prompt_sets"
"""The key of a resolved stage: name of a set → key → text."""
MOST_SETS = 16
MOST_TEXT_CHARS = 20_000
_MOST_FILES = 32
_SOURCE = "source"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_HASH_DIGITS = 8


def with_prompt_sets(
    family: str, given: Mapping[str, Any], folder: Path, where: str
) -> dict[str, Any]:
    """Return a stage's keys `prompts` and `prompt_sets`; {} if it names no set.

    Args:
        given: the stage's further keys.
        folder: the folder to which paths are relative.
        where: file and key of the stage, for errors.

    Raises:
        SweepError: a set that cannot be read, or does not fit the family.
    """
    if PROMPTS not in given:
        return {}
    recorded = given.get(SETS)
    names: list[str] = []
    sets: dict[str, Any] = {}
    for place, value in _named(given[PROMPTS], f"{where}.{PROMPTS}"):
        name = value
        if isinstance(recorded, Mapping) and value in recorded:
            sets[value] = recorded[value]
        elif value != OWN_SET:
            texts, stem = _read(family, folder / value, place), Path(value).stem
            if not _NAME.fullmatch(stem):
                allowed = "a name of at most 40 letters, digits, - and _"
                raise SweepError(place, repr(stem), allowed, "rename the file or folder")
            name = _name_of(stem, texts)
            sets[name] = texts
        names.append(name)
    return {PROMPTS: names, SETS: sets}


def sets_of(family: str, given: Mapping[str, Any], where: str) -> dict[str, dict[str, str]]:
    """Return the texts of each set that a resolved stage names; none for the family's own. `given`
    are the stage's further keys. Raise SweepError if texts are missing or unfit, or have another
    hash."""
    if PROMPTS not in given:
        return {}
    recorded = given.get(SETS)
    found: dict[str, dict[str, str]] = {}
    for place, name in _named(given[PROMPTS], f"{where}.{PROMPTS}"):
        if name in found:
            raise SweepError(place, f"{name} twice", "each set once", "remove the repetition")
        if name == OWN_SET:
            found[name] = {}
            continue
        texts = recorded.get(name) if isinstance(recorded, Mapping) else None
        if not isinstance(texts, Mapping):
            raise SweepError(place, repr(name), "a set with its texts", "name its file")
        found[name] = checked_texts(family, texts, f"{where}.{SETS}.{name}")
        if name != _name_of(name.rpartition("-")[0], found[name]):
            raise SweepError(
                f"{where}.{SETS}.{name}",
                "texts with another hash",
                "the texts that the set was named for",
                "restore them, or name their file in prompts",
            )
    return found


def _name_of(stem: str, texts: Mapping[str, str]) -> str:
    return f"{stem}-{content_hash(dict(texts))[:_HASH_DIGITS]}"


def _named(value: object, where: str) -> list[tuple[str, str]]:
    values = value if isinstance(value, list) else [value]
    if not values or len(values) > MOST_SETS or not all(isinstance(one, str) for one in values):
        raise SweepError(
            where,
            repr(value)[:60],
            f"1 to {MOST_SETS} sets: {OWN_SET}, or YAML files or folders",
            f"e.g. {PROMPTS}: [{OWN_SET}, published.yaml]",
        )
    places = [f"{where}.{i}" if isinstance(value, list) else where for i in range(len(values))]
    return list(zip(places, values, strict=True))


def _read(family: str, path: Path, where: str) -> dict[str, str]:
    try:
        files = _files_of(path)
        found: dict[str, object] = {}
        for file in files:
            data = read_yaml(text_of(read_bounded(file, MOST_CONFIG_BYTES)))
            if not isinstance(data, dict):
                raise UnfitError(f"{file}: no keys", "keys with texts", "see mirror-ray prompts")
            if file is path:
                data.pop(_SOURCE, None)
            found |= flattened(data if file is path else {file.stem: data})
    except UnfitError as error:
        key = f"{error.key}: " if error.key else ""
        raise SweepError(where, f"{path}: {key}{error.got}", error.allowed, error.fix) from error
    return checked_texts(family, found, f"{where}: {path}")


def _files_of(path: Path) -> Sequence[Path]:
    try:
        if not path.is_dir():
            return [path]
        files = sorted(one for one in path.iterdir() if one.suffix == ".yaml")
    except (OSError, ValueError) as error:
        raise UnfitError(str(error), "a readable file or folder", "check the path") from error
    if not 0 < len(files) <= _MOST_FILES:
        allowed = f"1 to {_MOST_FILES} files that end in .yaml"
        raise UnfitError(f"{len(files)} YAML files", allowed, "see mirror-ray prompts")
    return files


def checked_texts(family: str, texts: Mapping[str, object], where: str) -> dict[str, str]:
    """Return the texts of a set. Raise SweepError for the first text that does not fit the family,
    or if no text differs from the family's own."""
    own = default_texts(family).by_key
    checked: dict[str, str] = {}
    for key, text in sorted(texts.items()):
        place = f"{where}: {key}"
        if key not in own:
            fix = did_you_mean(key, own) or f"remove it; mirror-ray prompts {family} lists the keys"
            raise SweepError(place, "a text that the family does not have", "its own keys", fix)
        if not isinstance(text, str) or len(text) > MOST_TEXT_CHARS or "${" in text:
            got = f"{len(text):,} characters" if isinstance(text, str) else repr(text)[:60]
            allowed = f"a text of at most {MOST_TEXT_CHARS:,} characters, without ${{"
            raise SweepError(
                place, got, allowed, "correct it; quote a text that looks like a number"
            )
        _require_slots(text, own[key], place)
        checked[key] = text
    if all(own[key] == text for key, text in checked.items()):
        raise SweepError(
            where,
            "no text that differs from the family's own",
            "at least one",
            f"name {OWN_SET} for the family's own prompts",
        )
    return checked


def _require_slots(text: str, own: str, where: str) -> None:
    has, wanted = slots_of(text), slots_of(own)
    if has == wanted:
        return
    missing, unknown = sorted(wanted - has), sorted(has - wanted)
    got = [f"without {{{name}}}" for name in missing] + [f"with {{{name}}}" for name in unknown]
    listed = ", ".join(f"{{{name}}}" for name in sorted(wanted))
    raise SweepError(
        where,
        f"a text {' and '.join(got)}",
        f"each of {listed}, and no other slot" if wanted else "a text without slots",
        "add what is missing, and remove or rename the others",
    )
