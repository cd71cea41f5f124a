"""An engine's output is somebody's words: bounded, printable, without secrets."""

from mirror_ray.engine.server.engine_process import KEPT_LINES, MOST_LOG_CHARS, LogTail
from mirror_ray.providers.redaction import Secrets


def fed(*parts: bytes, secrets: Secrets | None = None) -> tuple[str, ...]:
    tail = LogTail(secrets or Secrets())
    for part in parts:
        tail.feed(part)
    return tail.lines


def test_the_last_lines_are_kept_in_order():
    lines = fed(*(f"line {number}\n".encode() for number in range(200)))
    assert lines == tuple(f"line {number}" for number in range(200 - KEPT_LINES, 200))


def test_lines_may_come_in_parts_and_be_written_over():
    assert fed(b"load", b"ing 1/2\rloading 2/2\r", b"\n\ndone") == (
        "loading 1/2",
        "loading 2/2",
        "done",
    )


def test_no_line_acts_on_a_terminal_or_shows_a_key():
    secrets = Secrets(["hunter2-hunter2"])
    assert fed(b"\x1b[31mred\x07 hunter2-hunter2 sk-0123456789abcdef\n", secrets=secrets) == (
        "�[31mred� [key removed] [key removed]",
    )


def test_a_line_without_end_costs_no_more_than_its_beginning():
    tail = LogTail(Secrets())
    for _ in range(2_000):
        tail.feed(b"x" * 65_536)
    (line,) = tail.lines
    assert len(line) == MOST_LOG_CHARS
    assert fed(b"\xff\xfe bytes\n") == ("�� bytes",)
