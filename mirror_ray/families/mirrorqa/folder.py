"""MirrorQA's public data set as published: JSON objects, one per line, and the pictures.

Two layouts are supported, ``Dataset/vqa_files`` and ``Dataset/images``. Quirks of the data are
accepted and named. Rows call rear legs rear, hind or back and front ones front or fore. They write
options with and without a space after the letter, in lower case or another order. Labels are
unified here, and so are the words that a model reads [our decision]."""

import os
import re
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from mirror_ray.core.bounded_files import MOST_DATA_BYTES, read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.families.mirrorqa.item import FOUR, LETTERS, TWO

SPLITS: Mapping[str, tuple[str, ...]] = {
    "train": ("train.jsonl",),
    "dev": ("dev.jsonl", "val.jsonl"),
    "test": ("test.jsonl",),
    "all": ("all.jsonl",),
}
"""The names under which each split was published."""

_ROW_FOLDERS = (
    "",
    "vqa_files",
    "jsonl_files",
    "Dataset",
    "Dataset/vqa_files",
    "Dataset/jsonl_files",
)
_PICTURE_FOLDERS = ("images", "../images", "", "..")
_KEYS = ("image", "question", "options", "answer")
_LABEL = "label"
_OPTION = re.compile(r"\s*+([A-Da-d])\s*+([.):]?+)(\s*+)(.*+)\s*+")
_WORDS = {"hind": "rear", "back": "rear", "fore": "front"}
_MAX_LISTED = 5
_MOST_CHARS = 10_000
"""Most characters of a question."""
_MOST_OPTION_CHARS = 100
_MOST_NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class FolderRow:
    """One row of a split.

    Args:
        options: in our words, in the row's order.
        answer: one of the options.
        quirks: what had to be read leniently, e.g. ``hind read as rear``.
        label: what the row states about itself, e.g. a class of errors; the public rows have none.
    """

    line: int
    image: str
    question: str
    options: tuple[str, ...]
    answer: str
    quirks: tuple[str, ...]
    label: str | None

    @property
    def kind(self) -> Literal["human", "animal"]:
        """Whose body it is about, by the picture's name, which tells pictures of people."""
        return "human" if self.image.startswith("human_") else "animal"


@dataclass(frozen=True, slots=True)
class Split:
    """A split's rows, and the file that they come from."""

    file: Path
    rows: tuple[FolderRow, ...]


def read_split(folder: str, split: str, where: str) -> Split:
    """Return all rows of a split.

    Args:
        folder: of the data set, of the repository, or of the rows themselves.
        where: the sweep's file and key that name it, for errors.

    Raises:
        SweepError: no such file, or an unreadable line, which the error names.
    """
    try:
        file = _file_of(Path(folder), split, where)
        return _read_split(file, file.stat().st_mtime_ns, where)
    except OSError as error:
        raise SweepError(
            where, f"{folder}: {error}", "a folder that can be read", "check its permissions"
        ) from error


@lru_cache(maxsize=8)
def _read_split(file: Path, _changed_ns: int, where: str) -> Split:
    try:
        text = text_of(read_bounded(file, MOST_DATA_BYTES))
    except UnfitError as error:
        raise error.at(f"{where}: {file}") from error
    rows = tuple(
        _row(number, line, f"{file}, line {number}")
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    )
    if not rows:
        raise SweepError(
            f"{where}: {file}", "an empty file", "one JSON object a line", "download it again"
        )
    return Split(file, rows)


def pictures_of(split: Split, rows: Sequence[FolderRow], where: str) -> dict[str, Path]:
    """Return each picture's path by file name. If pictures are missing, raise SweepError, which
    says how many, which, and where they are expected."""
    folders = list(_picture_folders(split.file.parent))
    found: dict[str, Path] = {}
    missing: dict[str, int] = {}
    for row in rows:
        # `Path.is_file` raises if a folder may not be read.
        path = next(
            (place for folder in folders if os.path.isfile(place := folder / row.image)),  # noqa: PTH113
            None,
        )
        if path is None:
            missing.setdefault(row.image, row.line)
        else:
            found[row.image] = path
    if missing:
        asked = len({row.image for row in rows})
        listed = ", ".join(
            f"{name} (line {line})" for name, line in list(missing.items())[:_MAX_LISTED]
        )
        more = f" and {len(missing) - _MAX_LISTED} more" if len(missing) > _MAX_LISTED else ""
        raise SweepError(
            f"{where}: {split.file}",
            f"{len(missing)} of {asked} pictures are missing: {listed}{more}",
            f"every picture that a row names, in {folders[0]}",
            f"put them into {folders[0]}, or ask without pictures: text_only: true",
        )
    return found


def _picture_folders(rows_folder: Path) -> Iterator[Path]:
    named = [(rows_folder / name).resolve() for name in _PICTURE_FOLDERS]
    yield from sorted(
        dict.fromkeys(named), key=lambda folder: not (folder.name == "images" and folder.is_dir())
    )


def _file_of(folder: Path, split: str, where: str) -> Path:
    if not folder.is_dir():
        raise SweepError(
            where,
            str(folder),
            "MirrorQA's folder, with its JSONL files and pictures",
            f"name where it lies now, as {_override_of(where)}=PATH of mirror-ray run (a run goes "
            "on with it), or get it from github.com/stargazer-zeno/MirrorQA",
        )
    names = [f"{sub}/{name}".lstrip("/") for sub in _ROW_FOLDERS for name in SPLITS[split]]
    for name in names:
        # A missing file is reported when it is read.
        if (folder / name).exists():
            return folder / name
    raise SweepError(
        where,
        f"{folder}, without {' or '.join(SPLITS[split])}",
        f"one of {', '.join(names[:4])}, …",
        "name the folder that has the JSONL files, or another split",
    )


def _override_of(where: str) -> str:
    return where.rsplit(": ", 1)[-1]


def _row(number: int, line: str, where: str) -> FolderRow:
    def wrong(got: str, allowed: str) -> SweepError:
        return SweepError(where, got, allowed, "correct the line, or download the file again")

    try:
        row: Any = read_json(line)
    except UnfitError as error:
        raise wrong(error.got, f"one JSON object: {error.allowed}") from error
    if not isinstance(row, dict) or any(key not in row for key in _KEYS):
        lacking = [key for key in _KEYS if not isinstance(row, dict) or key not in row]
        raise wrong(f"a row without {', '.join(lacking)}", f"the keys {', '.join(_KEYS)}")
    image, question, options, answer = (row[key] for key in _KEYS)
    if not _is_text(image, _MOST_NAME_CHARS) or Path(image).name != image or image == "..":
        raise wrong(
            f"image {_shown(image)}",
            f"the bare name of a file, of at most {_MOST_NAME_CHARS} characters",
        )
    if not _is_text(question, _MOST_CHARS):
        raise wrong(f"question {_shown(question)}", f"a text of at most {_MOST_CHARS:,} characters")
    # Cut before any of these searches.
    if (
        not isinstance(options, list)
        or len(options) > len(LETTERS)
        or not all(_is_text(one, _MOST_OPTION_CHARS) for one in options)
    ):
        raise wrong(
            f"options {_shown(options)}",
            f"a list of up to {len(LETTERS)} texts of at most {_MOST_OPTION_CHARS} characters",
        )
    quirks: list[str] = []
    ours = tuple(_option(option, index, quirks) for index, option in enumerate(options))
    if sorted(ours) not in (sorted(TWO), sorted(FOUR)):
        raise wrong(f"options {_shown(options)}", f"{', '.join(TWO)}, or {', '.join(FOUR)}")
    right = _answer(answer, ours, quirks) if _is_text(answer, _MOST_OPTION_CHARS) else None
    if right is None:
        raise wrong(f"answer {_shown(answer)}", f"one of {', '.join(LETTERS[: len(ours)])}")
    label = row.get(_LABEL)
    if label is not None and not _is_text(label, _MOST_OPTION_CHARS):
        raise wrong(f"label {_shown(label)}", f"a text of at most {_MOST_OPTION_CHARS} characters")
    quirks = list(dict.fromkeys(quirks))
    return FolderRow(number, image, question.strip(), ours, right, tuple(quirks), label)


def _is_text(value: object, most_chars: int) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= most_chars


def _shown(value: object) -> str:
    # From a list of a million texts, only the shown part is written out.
    return reprlib.repr(value)


def _option(text: str, index: int, quirks: list[str]) -> str:
    found = _OPTION.fullmatch(text)
    words = text
    if found is None or not found[2]:
        quirks.append("option without a letter")
    else:
        letter, _, space, words = found.groups()
        words = words.rstrip()
        if letter.upper() != LETTERS[index : index + 1]:
            quirks.append("letters out of order")
        if not space:
            quirks.append("no space after the letter")
    # Typed by hand: words may run together or be joined by hyphens.
    parts = re.findall(r"left|right|front|fore|rear|hind|back|\w+", words.lower())
    if "".join(parts) == words.lower().replace(" ", "") and len(parts) > len(words.split()):
        quirks.append("words without a space")
    quirks += [f"{part} read as {_WORDS[part]}" for part in parts if part in _WORDS]
    named = [_WORDS.get(part, part) for part in parts]
    # "Front left" is the same leg as "left front".
    if len(named) == 2 and named[1] in TWO:
        quirks.append("end before side")
        named.reverse()
    return " ".join(named)


def _answer(answer: str, options: Sequence[str], quirks: list[str]) -> str | None:
    """Return the right option, by its letter or, leniently, by its words."""
    text = answer.strip()
    if len(text) == 1 and text.upper() in LETTERS[: len(options)]:
        if text != text.upper():
            quirks.append("answer in lower case")
        return options[LETTERS.index(text.upper())]
    ignored: list[str] = []
    found = _OPTION.fullmatch(text)
    letter = found[1].upper() if found and found[2] else None
    words = _option(text, LETTERS.index(letter) if letter else 0, ignored)
    if words in options and letter in (None, LETTERS[options.index(words)]):
        quirks.append("answer in words")
        return words
    return None
