"""Facts about a ready server for the record; all that servers, files and programs say is typed,
bounded and printable."""

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from mirror_ray.core.child_environment import child_environment
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.engine.server.http_probe import HttpProbe, object_of, text_at
from mirror_ray.engine.server.messages import ServerFacts
from mirror_ray.providers.served import MODULES, Served, option_of

_VERSION = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
_SMI = ("nvidia-smi", "--query-gpu=index,uuid,name,driver_version", "--format=csv,noheader")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_MOST_FILE_BYTES = 16 * 2**20
_MOST_NAMES = 20
_MOST_GPUS = 64
_WITHIN_S = 60.0

_SAMPLING = {
    "vllm": ("--generation-config vllm", ("--generation-config", "--override-generation-config")),
    "sglang": ("--sampling-defaults openai", ("--sampling-defaults",)),
}
"""Engine → what is set here, and the options by which arguments say other sampling defaults."""


async def facts_of(served: Served, argv: Sequence[str], probe: HttpProbe, host: str) -> ServerFacts:
    """Return the facts of a server that is ready.

    Args:
        argv: its command line.
        host: its name.
    """
    models, version, props = await asyncio.gather(
        probe.read("/v1/models"), probe.read("/version"), probe.read("/props")
    )
    here = await asyncio.to_thread(_found_here, served)
    said = text_at(props, "chat_template", _MOST_FILE_BYTES)
    template = sha256(said.encode()).hexdigest() if said else here.chat_template_sha
    facts = replace(
        here,
        engine_version=here.engine_version or text_at(version, "version"),
        argv=tuple(one_printable_line(word, 1_000) for word in argv),
        chat_template_sha=template,
        served=_names(models),
        host=host,
    )
    return replace(facts, fingerprint=_fingerprint(facts))


def _found_here(served: Served) -> ServerFacts:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES") if served.gpus else ""
    gpus, driver = gpus_in(_output(*_SMI) or "", visible)
    folder = _weights_folder(served)
    found = folder.name if folder is not None and _COMMIT.fullmatch(folder.name) else None
    program = Path(served.program).name if served.engine == "command" else served.engine
    return ServerFacts(
        engine=one_printable_line(program, 200),
        engine_version=_package_version(served),
        weights=served.weights,
        revision=served.revision,
        weights_revision_found=found,
        sampling_defaults=_sampling_defaults(served),
        chat_template_sha=None if folder is None else _template_sha(folder),
        gpus=gpus,
        driver=driver,
    )


def _fingerprint(facts: ServerFacts) -> str:
    kept = {key: value for key, value in asdict(facts).items() if key != "host"}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:12]


def _sampling_defaults(served: Served) -> str | None:
    if served.engine not in _SAMPLING:
        return None
    ours, options = _SAMPLING[served.engine]
    given = [name for name in map(option_of, served.args) if name in options]
    return f"as args say ({given[-1]})" if given else f"the engine's own ({ours})"


def _package_version(served: Served) -> str | None:
    if served.engine == "command":
        return None
    said = _output(served.python, "-I", "-c", _VERSION, MODULES[served.engine])
    return one_printable_line(said, 100) if said else None


def gpus_in(listing: str, visible: str | None) -> tuple[tuple[str, ...], str | None]:
    """Return names of GPUs, and the version of their driver.

    Args:
        listing: a line for each: index, UUID, name, driver, separated by commas.
        visible: indices or UUIDs of those that count; None counts all.
    """
    rows = [[part.strip() for part in line.split(",")] for line in listing.splitlines()]
    rows = [row for row in rows if len(row) == len(("index", "uuid", "name", "driver"))]
    if visible is not None:
        wanted = set(visible.split(","))
        rows = [row for row in rows if wanted & {row[0], row[1]}]
    names = tuple(one_printable_line(row[2], 100) for row in rows[:_MOST_GPUS])
    return names, one_printable_line(rows[0][3], 100) if rows else None


def _weights_folder(served: Served) -> Path | None:
    """Where the weights lie: their own path, or their snapshot in Hugging Face's cache."""
    weights = served.weights
    if weights is None:
        return None
    if weights.startswith("/"):
        return Path(weights) if Path(weights).is_dir() else None
    home = Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser()
    hub = Path(os.environ.get("HF_HUB_CACHE", home / "hub"))
    repository = hub / f"models--{weights.replace('/', '--')}"
    revision = served.revision or "main"
    named = _text(repository / "refs" / revision)
    folder = repository / "snapshots" / (named.strip() if named else revision)
    return folder if folder.is_dir() else None


def _template_sha(folder: Path) -> str | None:
    """The template's, from the first of the files in which weights state it."""
    template: Any = _text(folder / "chat_template.jinja")
    for name in ("chat_template.json", "tokenizer_config.json"):
        if not template:
            template = object_of(_text(folder / name) or "").get("chat_template")
    if not template:
        return None
    whole = template if isinstance(template, str) else json.dumps(template, sort_keys=True)
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def _text(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def _names(models: Mapping[str, Any]) -> tuple[str, ...]:
    listed = models.get("data")
    found = listed[:_MOST_NAMES] if isinstance(listed, list) else []
    names = [text_at(one, "id") for one in found if isinstance(one, dict)]
    return tuple(name for name in names if name)


def _output(*argv: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - the user's interpreter, or nvidia-smi
            argv,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_WITHIN_S,
            env=child_environment(os.environ),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (
        done.stdout[:_MOST_FILE_BYTES].decode("utf-8", "replace") if not done.returncode else None
    )
