"""Connections that break, stay silent, speak another language, or say too much."""

from collections.abc import Mapping

from hostile_ways.answers import End, Way, as_bytes, head, raw, whole

_JSON = "Content-Type: application/json"
_EARLY = head("Link: </style.css>; rel=preload", status="HTTP/1.1 103 Early Hints")
_CONTINUE = head(status="HTTP/1.1 100 Continue")

POISON = "these words answer somebody else's question"
"""What the second of two responses says, to whoever takes the connection next."""


def _poison(end: End = "linger") -> Way:
    body = (
        b'{"id": "x", "object": "chat.completion", "created": 0, "model": "poison", "choices": '
        b'[{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "'
        + POISON.encode()
        + b'"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}'
    )
    more = head(_JSON, f"Content-Length: {len(body)}") + body
    return raw(whole, more * 3, end=end, pause_s=0.01)


CONNECTION: Mapping[str, Way] = {
    "connection-closed": raw(),
    "connection-reset": raw(end="reset"),
    "connection-reset-in-head": raw(b"HTTP/1.1 200 OK\r\nContent-", end="reset", pause_s=0.05),
    "connection-closed-in-head": raw(b"HTTP/1.1 200 OK\r\nContent-", pause_s=0.05),
    "connection-reset-in-body": raw(
        lambda asked: head(_JSON, "Content-Length: 99999"),
        lambda asked: as_bytes(asked.body)[:50],
        end="reset",
        pause_s=0.05,
    ),
    "connection-closed-in-body": raw(
        lambda asked: head(_JSON, "Content-Length: 99999") + as_bytes(asked.body)[:50], pause_s=0.05
    ),
    "connection-closed-in-chunk": raw(
        head(_JSON, "Transfer-Encoding: chunked") + b"ff\r\n{", pause_s=0.05
    ),
    "connection-hangs": raw(end="hang"),
    "connection-hangs-in-head": raw(b"HTTP/1.1 200 OK\r\n", end="hang"),
    "connection-hangs-in-body": raw(head(_JSON, "Content-Length: 50") + b"{", end="hang"),
    "connection-hangs-after-body": raw(
        lambda asked: head(_JSON) + as_bytes(asked.body), end="hang"
    ),
    "connection-stays-open": raw(whole, end="linger"),
    "connection-1xx": raw(_CONTINUE * 10_000, whole),
    "connection-1xx-endless": raw(*[_CONTINUE * 100] * 200, end="hang", pause_s=0.02),
    "connection-hints": raw(_EARLY, whole),
    "connection-hints-many": raw(_EARLY * 5000, whole),
    "connection-http-1.0": raw(lambda asked: whole(asked).replace(b"HTTP/1.1", b"HTTP/1.0")),
    "connection-http-0.9": raw(lambda asked: as_bytes(asked.body)),
    "connection-ssh": raw(b"SSH-2.0-OpenSSH_9.9\r\n", end="hang"),
    "connection-smtp": raw(b"220 mail ESMTP\r\n250 ok\r\n"),
    "connection-tls": raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500),
    "connection-http-2": raw(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + b"\x00" * 18, end="hang"),
    "connection-zeros": raw(b"\x00" * 2**20),
    "connection-newlines": raw(b"\r\n" * 200_000),
    "connection-two-answers": _poison(),
    "connection-two-answers-closed": _poison("close"),
    "connection-surplus": raw(whole, b"garbage " * 5000, end="linger", pause_s=0.01),
    "connection-keep-alive-odd": raw(
        lambda asked: whole(asked).replace(
            b"\r\n\r\n", b"\r\nConnection: keep-alive, close, upgrade\r\nKeep-Alive: x\r\n\r\n", 1
        ),
        end="linger",
    ),
    "connection-slow-body": raw(
        lambda asked: head(_JSON, "Content-Length: 200000"),
        *[b" " * 1000] * 100,
        end="hang",
        pause_s=0.03,
    ),
}
