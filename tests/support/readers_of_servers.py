"""The readers of what model servers, their files and their hosts say of themselves."""

from collections.abc import Iterator

from mirror_ray.engine.server import engine_facts
from mirror_ray.engine.server.engine_process import LogTail
from mirror_ray.providers import classify, credentials, redirections
from mirror_ray.providers.redaction import Secrets
from support.text_reader import TextReader


def of_servers() -> Iterator[TextReader]:
    """Every one."""
    base = "mirror_ray.engine.server"
    yield TextReader(f"{base}.engine_facts", "object", _fields)
    yield TextReader(f"{base}.engine_facts", "GPUs", lambda text: engine_facts.gpus_in(text, None))
    yield TextReader(
        f"{base}.engine_facts", "chosen GPUs", lambda text: engine_facts.gpus_in(text, text)
    )
    yield TextReader(f"{base}.engine_process", "output", _last_lines)
    providers = "mirror_ray.providers"
    yield TextReader(f"{providers}.classify", "reason", _end)
    yield TextReader(f"{providers}.credentials", "key", credentials.fault_of_key)
    yield TextReader(
        f"{providers}.credentials", "address", credentials.fault_of_base_url, (ValueError,)
    )
    yield TextReader(f"{providers}.redirections", "variable", _redirected)


def _end(text: str) -> object:
    return classify.end_of(text, text), classify.failure_of(text, text)


def _redirected(text: str) -> dict[str, str]:
    return redirections.redirections({"HTTPS_PROXY": text, text: text})


def _fields(text: str) -> str | None:
    return engine_facts.text_at({"version": text, **engine_facts.object_of(text)}, "version")


def _last_lines(text: str) -> tuple[str, ...]:
    tail = LogTail(Secrets())
    tail.feed(text.encode("utf-8", "surrogatepass"))
    return tail.lines
