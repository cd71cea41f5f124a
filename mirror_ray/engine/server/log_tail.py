"""The last lines of a program's output, which may be anything: bounded, printable, no secrets."""

from collections import deque

from mirror_ray.providers.redaction import Secrets

KEPT_LINES = 50
MOST_LOG_CHARS = 300
_MOST_LINE_BYTES = 8 * 1024


class LogTail:
    """The last lines of a program's output, fed with bytes as they come; no line shows a value of
    `secrets`."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._lines: deque[bytes] = deque(maxlen=KEPT_LINES)
        self._open = b""

    def feed(self, data: bytes) -> None:
        """Add output; a line that is overwritten, like a progress bar's, counts again."""
        *whole, rest = (self._open + data).replace(b"\r", b"\n").split(b"\n")
        self._lines.extend(line[:_MOST_LINE_BYTES] for line in whole if line.strip())
        self._open = rest[:_MOST_LINE_BYTES]

    @property
    def lines(self) -> tuple[str, ...]:
        """At most `KEPT_LINES`, the latest last."""
        last = [self._open] if self._open.strip() else []
        kept = [*self._lines, *last][-KEPT_LINES:]
        return tuple(
            self._secrets.one_line(line.decode("utf-8", "replace"), MOST_LOG_CHARS) for line in kept
        )
