"""Files with data that a sweep names: banks, seeds of stories, rows, pictures."""

import gzip
import json
import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

from bad_files import NO_FILES, SWEEP, BadFile, Content, repeated
from PIL import Image

_SWEEP_OF = """
name: small
models: [{agent}]
stages:
  - {{family: {family}, conditions: [{condition}], seeds: 1, {key}: {value}}}
out: runs/x
"""
_BANK = _SWEEP_OF.format(
    agent="scripted/calibrated", family="metacog", condition="exp1", key="bank", value="FILE"
)
_SEEDS = _SWEEP_OF.format(
    agent="scripted/ornate", family="textmirror", condition="story", key="seed_file", value="FILE"
)
_ROWS = _SWEEP_OF.format(
    agent="scripted/oracle", family="mirrorqa", condition="data", key="data", value="FILE"
)
_ROW: dict[str, Any] = {
    "image": "human_1.png",
    "question": "Which hand does she raise?",
    "options": ["A. left", "B. right"],
    "answer": "A",
}
_QUESTION: dict[str, Any] = {
    "question_text": "What is 1 + 1?",
    "correct_answer": "2",
    "domain": "arithmetic",
    "subcategory": "sums",
    "difficulty": None,
}

_JSON_LINES: dict[str, bytes] = {
    "empty": b"",
    "spaces": b"   \n\n",
    "words": b"words",
    "number": b"5",
    "null": b"null",
    "nan": b"NaN",
    "list": b"[]",
    "list_of_numbers": b"[1, 2]",
    "half": b'{"image": "x',
    "nul": b'{"image": "\0"}',
    "latin_1": '{"image": "é"}'.encode("latin-1"),
    "utf_16": '{"image": "x"}'.encode("utf-16"),
    "digits": b"9" * 100_000,
    "deep": b"[" * 100_000,
    "deep_and_whole": b"[" * 900 + b"]" * 900,
    "deep_maps": b'{"a":' * 100_000,
    "large": repeated(b"[]," * 1_000, 8_000, b"[", b"[]]"),
}


def _row(**changes: object) -> bytes:
    return json.dumps({**_ROW, **changes}).encode()


def _question(**changes: object) -> bytes:
    return json.dumps({**_QUESTION, **changes}).encode()


_BANKS: dict[str, Content] = {
    **_JSON_LINES,
    "no_text": _question(question_text=5),
    "text_empty": _question(question_text=""),
    "text_of_megabytes": _question(question_text="x" * 5_000_000),
    "text_with_half_a_pair": _question(question_text="\ud800"),
    "text_with_nul": _question(question_text="a\0b"),
    "answer_of_digits": _question(correct_answer="9" * 5_000, question_text=""),
    "answer_of_commas": _question(correct_answer="a" + ("," + " " * 13) * 4_000, domain="x"),
    "answer_of_nothing": _question(correct_answer=""),
    "answer_beyond_floats": _question(correct_answer=f"{'9' * 400}/3", domain="x"),
    "answer_number_beyond": b'{"question_text": "x", "correct_answer": 1e999}',
    "domain_list": _question(domain=["arithmetic"]),
    "domain_map": _question(domain={"a": 1}),
    "row_beyond": _question() + b"\n" + b"9" * 5_000,
    "records_of_lists": b'[{"question_text": "x"}, [], 5, null]',
}

_SEED_FILES: dict[str, Content] = {
    "empty": b"",
    "no_column": b"a,b\n1,2\n",
    "no_rows": b"prompt\n",
    "empty_prompt": b'prompt\n" "\n',
    "too_many_fields": b"prompt\na,b,c\n",
    "nul": b"prompt\na\0b\n",
    "nul_in_header": b"pro\0mpt\na\n",
    "escape": b"prompt\n\x1b[31mred\n",
    "latin_1": "prompt\né\n".encode("latin-1"),
    "utf_16": "prompt\na\n".encode("utf-16"),
    "open_quote": b'prompt\n"' + b"a" * 300_000,
    "long_header": b'"' + b"h" * 300_000 + b'",prompt\na,b\n',
    "long_prompt": b"prompt\n" + b"p" * 100_000 + b"\n",
    "wide": b"prompt" + b"," * 1_000_000 + b"\n" + b"a\n" * 1_000_000,
    "wide_behind_a_quote": b'prompt,"\n"' + b"," * 1_000_000 + b"\n" + b"a\n" * 1_000_000,
    "many": repeated(b"a\n" * 1_000, 4_000, b"prompt\n"),
    "large": repeated(b"a" * 1_000, 20_000, b"prompt\n"),
    "too_few": b"prompt\n\n\n",
    "returns": b"prompt\r" * 1_000,
}

_ROW_FILES: dict[str, Content] = {
    **_JSON_LINES,
    "no_keys": b"{}",
    "image_number": _row(image=5),
    "image_path": _row(image="../../etc/passwd"),
    "image_absolute": _row(image="/dev/zero"),
    "image_dots": _row(image=".."),
    "image_nul": _row(image="a\0b"),
    "image_half_a_pair": _row(image="\ud800.png"),
    "image_long": _row(image="a" * 5_000),
    "image_escape": _row(image="\x1b[31m.png"),
    "image_gone": _row(image="gone.png"),
    "question_list": _row(question=["x"]),
    "question_empty": _row(question="  "),
    "question_of_megabytes": _row(question="x" * 5_000_000),
    "options_text": _row(options="left right"),
    "options_by_the_million": _row(options=["left"] * 1_000_000),
    "options_of_spaces": _row(options=["A" + " " * 100_000 + "\n\n.", "right"]),
    "options_of_numbers": _row(options=[1, 2]),
    "options_foreign": _row(options=["up", "down"]),
    "answer_number": _row(answer=5),
    "answer_beyond": _row(answer="D"),
    "answer_beyond_in_words": _row(answer="C. left"),
    "answer_of_spaces": _row(answer="A" + " " * 100_000 + "\n\n."),
    "second_line": _row() + b"\n{",
}


def png(width_px: int, height_px: int, rows: bytes) -> bytes:
    """A PNG that says to be of a size, whatever its rows hold."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0)
    data = zlib.compress(rows)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


def _saved(kind: str, cut: slice = slice(None)) -> bytes:
    held = BytesIO()
    Image.effect_noise((640, 480), 50).convert("RGB").save(held, kind)
    return held.getvalue()[cut]


_PICTURES: dict[str, Content] = {
    "empty": b"",
    "words": b"words",
    "html": b"<html><script>alert(1)</script></html>",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n(x) print\n%%EOF\n",
    "png_bomb": png(50_000, 50_000, b"\0" * 10_000_000),
    "png_beyond_the_bound": png(12_000, 9_000, b"\0" * 1_000),
    "png_without_rows": png(640, 480, b""),
    "png_without_pixels": png(0, 0, b""),
    "png_half": lambda path: path.write_bytes(_saved("PNG", slice(50_000))),
    "jpeg_half": lambda path: path.write_bytes(_saved("JPEG", slice(20_000))),
    "jpeg_head": lambda path: path.write_bytes(_saved("JPEG", slice(200))),
    "webp_half": lambda path: path.write_bytes(_saved("WEBP", slice(20_000))),
    "gif_half": lambda path: path.write_bytes(_saved("GIF", slice(20_000))),
    "bmp_half": lambda path: path.write_bytes(_saved("BMP", slice(20_000))),
    "tiff_half": lambda path: path.write_bytes(_saved("TIFF", slice(20_000))),
    "large": repeated(b"\0" * 1_000, 40_000, b"\x89PNG\r\n\x1a\n"),
}  # fmt: skip


def _bomb(path: Path) -> None:
    """Half a gigabyte of ends of lines."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(500):
            file.write(b"\n" * 1_000_000)


_GZIPS: dict[str, Content] = {
    "bomb": _bomb,
    "half": gzip.compress(b"x" * 1_000_000)[:500],
    "words": b"words",
    "empty": b"",
    "parts": gzip.compress(b"") * 100_000,
    "damaged": gzip.compress(bytes(range(256)) * 100)[:100] + b"\xff" * 100,
    "trailed": gzip.compress(_question()) + b"trailing",
    "of_gzip": gzip.compress(gzip.compress(_question())),
}

_PLACES: dict[str, str] = {
    "gone": "none.x",
    "dev_zero": "/dev/zero",
    "dev_tty": "/dev/tty",
    "root": "/",
    "long": "a/" * 3_000 + "x",
    "long_name": "a" * 3_000,
    "nul": '"a\\0b"',
    "number": "5",
    "list": "[a]",
    "map": "{a: b}",
    "boolean": "true",
    "memory": "/proc/self/mem",
}


def bad_data() -> list[BadFile]:
    """Every bank, seed file, folder and picture."""
    found: list[BadFile] = []
    for kind, sweep, file, contents in (
        ("bank", _BANK, "bank.jsonl", {**_BANKS, **NO_FILES}),
        ("gzip", _BANK, "bank.jsonl.gz", _GZIPS),
        ("seed_file", _SEEDS, "seeds.csv", {**_SEED_FILES, **NO_FILES}),
    ):
        key = "bank" if kind == "gzip" else kind
        for name, content in contents.items():
            said = f"stages.0.{'seeds' if name in _PLAYS_NOTHING else key}"
            # A link is named by what it leads to.
            unnamed = name in _PLAYS_NOTHING or name in {"dev_zero", "broken_link"}
            says = (SWEEP, said) if unnamed else (SWEEP, said, file)
            files = {SWEEP: sweep.replace("FILE", file), file: content}
            found.append(BadFile(f"{kind}_{name}", files, says))
    for name, content in {**_ROW_FILES, **NO_FILES}.items():
        files = {SWEEP: _ROWS.replace("FILE", "qa"), "qa/test.jsonl": content}
        found.append(BadFile(f"rows_{name}", files, ("qa",)))
    for name, content in {**_PICTURES, **NO_FILES}.items():
        files = {
            SWEEP: _ROWS.replace("FILE", "qa"),
            "qa/test.jsonl": _row(),
            "qa/images/human_1.png": content,
        }
        found.append(BadFile(f"picture_{name}", files, ("stages.0.data", "human_1.png")))
    for kind, sweep in (("bank", _BANK), ("seed_file", _SEEDS), ("data", _ROWS)):
        for name, place in _PLACES.items():
            files = {SWEEP: sweep.replace("FILE", place)}
            found.append(BadFile(f"{kind}_at_{name}", files, (f"{SWEEP}: stages.0.{kind}",)))
    return found


_PLAYS_NOTHING = frozenset(
    {"no_text", "text_empty", "text_of_megabytes", "answer_of_commas", "answer_of_nothing"}
    | {"answer_of_digits", "answer_beyond_floats", "domain_list", "domain_map", "records_of_lists"}
)
"""Rows that are counted as malformed: none is left to ask about."""
