"""The readers of what model servers, their files and their hosts say of themselves."""

from collections.abc import Iterator

from mirror_ray.engine.server import facts, http_probe
from mirror_ray.engine.server.log_tail import LogTail
from mirror_ray.providers.redaction import Secrets
from support.text_reader import TextReader


def of_servers() -> Iterator[TextReader]:
    """Every one."""
    base = "mirror_ray.engine.server"
    yield TextReader(f"{base}.http_probe", "object", _fields)
    yield TextReader(f"{base}.facts", "GPUs", lambda text: facts.gpus_in(text, None))
    yield TextReader(f"{base}.facts", "chosen GPUs", lambda text: facts.gpus_in(text, text))
    yield TextReader(f"{base}.log_tail", "output", _last_lines)


def _fields(text: str) -> str | None:
    return http_probe.text_at({"version": text, **http_probe.object_of(text)}, "version")


def _last_lines(text: str) -> tuple[str, ...]:
    tail = LogTail(Secrets())
    tail.feed(text.encode("utf-8", "surrogatepass"))
    return tail.lines
