"""Files are read whole or refused, whatever stands under their name."""

import gzip
import os
from pathlib import Path

import pytest

from mirror_ray.core.bounded_files import MOST_MEMBERS, read_bounded, text_of, unzipped
from mirror_ray.core.errors import UnfitError


def test_a_file_of_the_most_bytes_is_read_and_of_one_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    assert read_bounded(path, 10) == b"x" * 10
    with pytest.raises(UnfitError, match="a file of 10 bytes"):
        read_bounded(path, 9)


def test_a_file_that_says_to_be_empty_is_bounded_too() -> None:
    with pytest.raises(UnfitError, match="bytes"):
        read_bounded("/proc/self/maps", 10)


@pytest.mark.parametrize("path", ["a\0b", "\ud800", "x" * 5_000, "/none/x", "/", "/dev/null"])
def test_what_is_no_file_is_refused(path: str) -> None:
    with pytest.raises(UnfitError):
        read_bounded(path, 10)


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(UnfitError, match="a FIFO"):
        read_bounded(tmp_path / "fifo", 10)


def test_parts_of_a_gzip_file_are_joined_up_to_the_bound() -> None:
    data = gzip.compress(b"one") + gzip.compress(b"two") + b"\0\0"
    assert unzipped(data, 6) == b"onetwo"
    with pytest.raises(UnfitError, match="more than 5 bytes"):
        unzipped(data, 5)


@pytest.mark.parametrize(
    "data",
    [b"", b"x", gzip.compress(b"x" * 99)[:-4], gzip.compress(b"") * (MOST_MEMBERS + 1)],
    ids=["empty", "no gzip", "cut short", "many members"],
)
def test_what_is_no_whole_gzip_file_is_refused(data: bytes) -> None:
    with pytest.raises(UnfitError):
        unzipped(data, 1_000)


def test_text_is_utf_8_with_or_without_its_mark() -> None:
    assert text_of("né".encode()) == text_of("né".encode("utf-8-sig")) == "né"
    with pytest.raises(UnfitError, match="byte 0xff at 1"):
        text_of(b"a\xff")
