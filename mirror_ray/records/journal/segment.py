"""A segment of a journal's replica: changed rows as compressed JSON, chained by digests."""

import json
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Any, NamedTuple

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import MAX_INT
from mirror_ray.records.journal.row_changes import JournalRow

_BYTES_KEY = "b64"
MOST_SEGMENT_BYTES = 2**31
"""Most bytes of a segment's JSON; a whole journal usually has some MiB."""


class JournalSegment(NamedTuple):
    """A segment.

    Args:
        number: its place in the chain, from 1.
        term: of the head that wrote it; each head has another one.
        previous: the digest of the segment before it; "" for the first.
        whole: number of the latest segment with all rows, possibly this one; 0 if none has all
            rows.
        openings: numbers of the segments that began a term.
        commits: transactions of the journal so far.
        rows: the rows changed since the segment before it, or all rows.
    """

    number: int
    term: str
    previous: str
    whole: int
    openings: tuple[int, ...]
    commits: int
    rows: tuple[JournalRow, ...]


def write_segment(segment: JournalSegment) -> bytes:
    """Return a segment as bytes. Raises OSError if it is too large to be read."""
    written = json.dumps(
        segment,
        separators=(",", ":"),
        default=lambda value: {_BYTES_KEY: b64encode(value).decode()},
    )
    text = written.encode()
    if len(text) > MOST_SEGMENT_BYTES:
        raise OSError(f"a journal of {len(text):,} bytes; at most {MOST_SEGMENT_BYTES:,}")
    return zlib.compress(text, 1)


def read_segment(body: bytes) -> JournalSegment:
    """Return the segment that `write_segment` wrote. Raise ValueError if it is not a valid
    segment."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(body, MOST_SEGMENT_BYTES)
        if not unpacker.eof:
            raise ValueError(f"cut short, or more than {MOST_SEGMENT_BYTES:,} bytes")
        plain = JournalSegment(*parse_json(text))
        segment = plain._replace(
            openings=tuple(plain.openings), rows=tuple(tuple(map(_cell, row)) for row in plain.rows)
        )
        counts = (segment.number, segment.whole, segment.commits, *segment.openings)
        if not all(type(one) is int and 0 <= one <= MAX_INT for one in counts) or not (
            isinstance(segment.term, str) and isinstance(segment.previous, str)
        ):
            raise TypeError("no numbers or texts")
    except (zlib.error, KeyError, TypeError) as error:
        raise ValueError(f"no segment: {error!r}"[:200]) from error
    return segment


def segment_digest(body: bytes) -> str:
    """Return the digest by which the next segment refers to this one."""
    return sha256(body).hexdigest()


def _cell(value: Any) -> str | int | float | bytes | None:
    if isinstance(value, dict):
        return b64decode(value[_BYTES_KEY], validate=True)
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    raise TypeError("no value of a row")
