"""Records facts about a ready server, with the HTTP requests that find them. Everything that
servers, files and programs say is typed, bounded and printable."""

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

import aiohttp

from mirror_ray.core.child_environment import child_environment
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.engine.server.messages import ServerFacts
from mirror_ray.providers.served import ENGINES, MODULES, Served, option_of

_MOST_BYTES = 4 * 2**20
_HEALTHY = 200


class HttpProbe:
    """Queries one server at `url`; used on one event loop."""

    def __init__(self, url: str) -> None:
        self._url = url
        # Nothing is unpacked, because a few bytes may expand to gigabytes.
        self._session = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers={"Accept-Encoding": "identity"},
        )

    async def is_healthy(self, path: str, within_s: float) -> bool:
        """Return whether the server answers with 200 in time."""
        return await self._body(path, within_s, most_bytes=0) is not None

    async def read(self, path: str, within_s: float = 5.0) -> dict[str, Any]:
        """Return the JSON object in the server's answer, up to 4 MiB; {} for anything else."""
        body = await self._body(path, within_s, _MOST_BYTES) or b""
        return object_of(body.decode("utf-8", "replace")) if len(body) <= _MOST_BYTES else {}

    async def _body(self, path: str, within_s: float, most_bytes: int) -> bytearray | None:
        """Return the body of a reply with status 200, but stop reading beyond `most_bytes`."""
        timeout = aiohttp.ClientTimeout(total=within_s)
        try:
            async with self._session.get(
                self._url + path, timeout=timeout, allow_redirects=False
            ) as response:
                if response.status != _HEALTHY:
                    return None
                body = bytearray()
                while (
                    most_bytes
                    and len(body) <= most_bytes
                    and (part := await response.content.readany())
                ):
                    body += part
                return body
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            return None

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.close()


def object_of(text: str) -> dict[str, Any]:
    """Return the JSON object in a text; {} for any other text."""
    try:
        data = parse_json(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def text_at(data: Mapping[str, Any], key: str, most: int = 200) -> str | None:
    """Return a field of an object, printable, if it is a text."""
    value = data.get(key)
    return one_printable_line(value, most) if isinstance(value, str) and value else None


_VERSION = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
_SMI = ("nvidia-smi", "--query-gpu=index,uuid,name,driver_version", "--format=csv,noheader")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_MOST_FILE_BYTES = 16 * 2**20
_MOST_NAMES = 20
_MOST_GPUS = 64
_WITHIN_S = 60.0


async def facts_of(served: Served, argv: Sequence[str], probe: HttpProbe, host: str) -> ServerFacts:
    """Return the facts of a ready server."""
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
    general = {key: value for key, value in asdict(facts).items() if key != "host"}
    sha = sha256(json.dumps(general, sort_keys=True).encode()).hexdigest()
    return replace(facts, fingerprint=sha[:12])


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


def _sampling_defaults(served: Served) -> str | None:
    if (engine := ENGINES.get(served.engine)) is None:
        return None
    given = [name for name in map(option_of, served.args) if name in engine["other_sampling"]]
    ours = " ".join(engine["sampling"])
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
