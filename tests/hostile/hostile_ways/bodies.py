"""Bodies: empty, endless, compressed, cut, in other encodings, and JSON that is none."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from functools import cache

from hostile_ways.answers import Way, as_bytes, calm, dripped, head, raw, sent

MIB = 2**20


@cache
def _bomb(layers: int = 1) -> bytes:
    """64 MiB of blanks in 64 KiB; with a second layer, in a few hundred bytes."""
    packed = gzip.compress(b" " * (64 * MIB), mtime=0)
    return packed if layers == 1 else gzip.compress(packed, mtime=0)


@cache
def _deflated() -> bytes:
    return zlib.compress(b" " * (64 * MIB))


def _bytes(make: object, **more: object) -> Way:
    """A body that does not depend on what was asked."""
    return sent(lambda _: make() if callable(make) else make, **more)


def _encoded(encoding: str, prefix: bytes = b"") -> Way:
    return sent(lambda asked: prefix + json.dumps(asked.body).encode(encoding))


def _around(before: str, after: str) -> Way:
    return sent(lambda asked: f"{before}{json.dumps(asked.body)}{after}")


def _nested(open_: str, close: str, depth: int) -> str:
    return open_ * depth + close * depth


def _error(body: object, status: int = 500) -> Way:
    return _bytes(body, status=status)


JSON_TYPE = "Content-Type: application/json"
CHUNKED = (JSON_TYPE, "Transfer-Encoding: chunked")

BODIES: Mapping[str, Way] = {
    "body-empty": _bytes(b""),
    "body-empty-500": _error(b""),
    "body-blank": _bytes(b" \n" * 1000),
    "body-html": _bytes("<html><script>alert(1)</script>log in</html>", content_type="text/html"),
    "body-html-502": _bytes("<html>" + "<p>" * 50_000, status=502, content_type="text/html"),
    "body-truncated": sent(lambda asked: as_bytes(asked.body)[:120]),
    "body-trailing": _around("", "}}}}"),
    "body-leading": _around(")]}',\n", ""),
    "body-twice": sent(lambda asked: as_bytes(asked.body) * 2),
    "body-jsonp": _around("callback(", ");"),
    "body-sse": _around("data: ", "\n\ndata: [DONE]\n\n"),
    "body-xml": _bytes("<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'aaaa'>]><x>&a;</x>"),
    "body-yaml": _bytes("&a [*a, *a]\n!!python/object/apply:os.system ['true']"),
    "body-pickle": _bytes(b"\x80\x04cos\nsystem\n(S'true'\ntR."),
    "body-number": _bytes(b"5"),
    "body-null": _bytes(b"null"),
    "body-true": _bytes(b"true"),
    "body-string": _bytes(b'"choices"'),
    "body-list": sent(lambda asked: [asked.body]),
    "body-empty-object": _bytes(b"{}"),
    "body-duplicate-keys": _around('{"choices": [], "choices": 5, "model": 7, "a":', "}"),
    "body-many-keys": _bytes(lambda: json.dumps({f"k{n}": n for n in range(200_000)})),
    "body-deep-list": _bytes(lambda: _nested("[", "]", 100_000)),
    "body-deep-object": _bytes(lambda: _nested('{"choices":', "}", 100_000)),
    "body-deep-open": _bytes(b"[" * MIB),
    "body-nan": _bytes(b'{"choices": NaN, "usage": Infinity, "model": -Infinity}'),
    "body-huge-int": _bytes(b'{"choices": ' + b"9" * 100_000 + b"}"),
    "body-huge-float": _bytes(b'{"choices": 1' + b"0" * 100_000 + b".5e99999}"),
    "body-bom": _encoded("utf-8", b"\xef\xbb\xbf"),
    "body-utf-16": _encoded("utf-16"),
    "body-utf-32": _encoded("utf-32"),
    "body-invalid-utf-8": _around('{"model": "\udcff\ud800", "x": ', "}"),
    "body-bad-bytes": sent(lambda asked: as_bytes(asked.body).replace(b"calm-1", b"\xff\xc0\x80")),
    "body-nul": sent(lambda asked: b"\x00" + as_bytes(asked.body) + b"\x00"),
    "body-50mb": sent(lambda asked: as_bytes(asked.body) + b" " * (50 * MIB)),
    "body-50mb-html": _bytes(lambda: "<p>" * (17 * MIB), content_type="text/html"),
    "body-error-5mb": _error(lambda: {"error": {"message": "no " * (2 * MIB)}}),
    "body-error-5mb-text": _error(lambda: "x" * (5 * MIB)),
    "body-error-5mb-words": _error(lambda: "Authorization: Bearer " * (MIB // 4)),
    "body-error-5mb-digits": _error(lambda: "9" * (5 * MIB), 429),
    "body-error-wordings": _error(
        lambda: "input token count exceeds account prompt " * 20_000, 400
    ),
    "body-error-escapes": _error({"error": {"message": "\x1b[2J\x1b]0;owned\x07\x00 gone"}}),
    "body-error-surrogate": _error(b'{"error": {"message": "\\ud800 half \\udfff"}}'),
    "body-error-markup": _error({"error": {"message": "[/red][bold]x[/nothing] <script>"}}),
    "body-error-traceback": _error(
        {"error": {"message": "Traceback (most recent call last):\n x"}}
    ),
    "body-error-in-200-1mb": _bytes(lambda: {"error": {"message": "no " * (MIB // 3)}}),
    "body-error-in-list-1mb": _bytes(lambda: [{"error": {"message": "no " * (MIB // 3)}}]),
    "body-detail-in-200-1mb": _bytes(lambda: {"detail": "no " * (MIB // 3)}),
    "body-error-types": _error({"error": {"message": {"a": [1]}, "code": {"b": 2}, "type": 5}}),
    "body-error-list": _error([{"error": [1, 2, {"message": None}]}]),
    "body-error-number": _error({"error": 5}, 400),
    "body-gzip-bomb": _bytes(_bomb, headers={"Content-Encoding": "gzip"}),
    "body-gzip-bomb-500": _bytes(_bomb, headers={"Content-Encoding": "gzip"}, status=500),
    "body-gzip-twice": _bytes(lambda: _bomb(2), headers={"Content-Encoding": "gzip, gzip"}),
    "body-deflate-bomb": _bytes(_deflated, headers={"Content-Encoding": "deflate"}),
    "body-gzip-none": calm(headers={"Content-Encoding": "gzip"}),
    "body-gzip-cut": sent(
        lambda asked: gzip.compress(as_bytes(asked.body))[:80], headers={"Content-Encoding": "gzip"}
    ),
    "body-coding-unknown": calm(headers={"Content-Encoding": "secret"}),
    "body-coding-many": calm(headers={"Content-Encoding": ", ".join(["gzip"] * 1000)}),
    "body-coding-br": calm(headers={"Content-Encoding": "br"}),
    "body-coding-zstd": calm(headers={"Content-Encoding": "zstd"}),
    "body-type-html": calm(content_type="text/html"),
    "body-type-image": calm(content_type="image/png"),
    "body-type-events": calm(content_type="text/event-stream"),
    "body-type-charset": calm(headers={"Content-Type": "application/json; charset=utf-7"}),
    "body-type-unknown-charset": calm(
        headers={"Content-Type": "application/json; charset=\x1b[2J"}
    ),
    "body-type-none": calm(headers={"Content-Type": ""}),
    "body-chunks-odd": raw(head(*CHUNKED) + b"zz\r\nhello\r\n0\r\n\r\n"),
    "body-chunk-negative": raw(head(*CHUNKED) + b"-5\r\nhello\r\n0\r\n\r\n"),
    "body-chunk-huge": raw(head(*CHUNKED) + b"f" * 400 + b"\r\nhello"),
    "body-chunk-extension": raw(head(*CHUNKED) + b"5;" + b"x" * 500_000 + b"\r\nhello"),
    "body-chunks-tiny": raw(
        lambda asked: (
            head(*CHUNKED)
            + b"".join(b"1\r\n%c\r\n" % byte for byte in as_bytes(asked.body))
            + b"0\r\n\r\n"
        )
    ),
    "body-trailers": raw(
        lambda asked: (
            head(*CHUNKED)
            + b"%x\r\n" % len(as_bytes(asked.body))
            + as_bytes(asked.body)
            + b"\r\n0\r\n"
            + b"x-trailer: y\r\n" * 5000
            + b"\r\n"
        )
    ),
    "body-length-more": raw(
        lambda asked: head(JSON_TYPE, "Content-Length: 99999") + as_bytes(asked.body)
    ),
    "body-length-less": raw(
        lambda asked: head(JSON_TYPE, "Content-Length: 50") + as_bytes(asked.body)
    ),
    "body-length-1e20": raw(head(JSON_TYPE, "Content-Length: " + "9" * 20) + b"{}"),
    "body-length-negative": raw(head(JSON_TYPE, "Content-Length: -5") + b"{}"),
    "body-length-words": raw(head(JSON_TYPE, "Content-Length: many") + b"{}"),
    "body-without-length": raw(lambda asked: head(JSON_TYPE) + as_bytes(asked.body)),
    "body-drip": dripped(lambda: _drip(head(*CHUNKED)), 0.02),
    "body-drip-head": dripped(lambda: _drip(b"HTTP/1.1 200 OK\r\n", b"x-drip: y\r\n"), 0.02),
}


def _drip(first: bytes, then: bytes = b"1\r\n \r\n") -> Iterator[bytes]:
    yield first
    while True:
        yield then
