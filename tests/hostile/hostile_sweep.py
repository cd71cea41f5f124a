"""Sweeps of hostile models beside honest ones, and what is left of them.

Knows catalogue and sweep files, keys and the server's log; does not know what must hold.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.request import urlopen

import pyarrow as pa
import pyarrow.parquet as pq
from hostile_server import HONEST, HONEST_LATENCIES_S
from hostile_ways import ENDLESS
from reply_findings import keys_in

from support.loopback import loopback_server
from support.shard_rows import TIMINGS, rows_of, without

PROGRAM = Path(__file__).with_name("hostile_server.py")
ROUTES = ("openai", "hosted_vllm")

KEYS = {"HONEST_KEY": "Wq3/nE7+hB5=sT9&rA2Yd", "HOSTILE_KEY": "Zq7/Lm2+Vt5=Rn8&Xw3Kp6"}
"""Variable → key. Of no maker's shape, and other words base64 and URL-encoded."""

PATIENCE_S, MOST_PATIENCE_S = 4.0, 120.0
"""Of callers of endless ways, and of all others: slowness of the machine is no failure."""

Log = Mapping[str, Mapping[str, int]]
"""Model → ask → how often it came."""


@dataclass(frozen=True, slots=True)
class Adversary:
    """The running server."""

    port: int
    honest_port: int = 0

    def base_url_of(self, name: str) -> str:
        """Where a model is served."""
        port = self.honest_port if name.startswith(HONEST) else self.port
        return f"http://127.0.0.1:{port}/v1"

    def log(self) -> dict[str, Any]:
        with urlopen(f"http://127.0.0.1:{self.port}/log") as reply:
            return json.load(reply)

    def asked(self) -> Log:
        return self.log()["asked"]


@contextmanager
def adversary() -> Iterator[Adversary]:
    with loopback_server(program=PROGRAM) as server:
        yield Adversary(server.port, Adversary(server.port).log()["honest_port"])


def patience_s(way: str) -> float:
    return PATIENCE_S if way in ENDLESS else MOST_PATIENCE_S


MODELS_PER_FILE = 200
"""A larger catalogue file is refused."""


def write_sweep(
    folder: Path,
    server: Adversary,
    ways: Iterable[str],
    stages: Sequence[Mapping[str, Any]],
    entry: Mapping[str, object] = MappingProxyType({}),
    *,
    one_route: bool = False,
    **more: object,
) -> Path:
    """A sweep of honest models and one for every way, and its catalogue.

    Args:
        entry: further keys of the hostile models; `more` of the sweep.
        one_route: every way is on the next route only, which saves half of the calls.
    """
    routes = {
        way: ROUTES[number % 2 :][:1] if one_route else ROUTES for number, way in enumerate(ways)
    }
    models = _models(server, routes, entry)
    files = {
        f"models-{number}.yaml": dict(part)
        for number, part in enumerate(_parts(models.items(), MODELS_PER_FILE))
    }
    for name, part in files.items():
        (folder / name).write_text(json.dumps({"models": part}))
    sweep = {
        "name": "hostile",
        # Honest models are in the middle: hostile ones are asked before, beside and after them.
        "models": ["hostile-openai-*", f"{HONEST}-*", "hostile-hosted_vllm-*"],
        "catalogue": list(files),
        "stages": stages,
        "engine": {"simulators": 1, "providers": 1, "in_flight": 400, "max_attempts": 1},
        "out": "runs/never",
        **more,
    }
    path = folder / "sweep.yaml"
    path.write_text(json.dumps(sweep))
    return path


def _parts(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part


def _models(
    server: Adversary, routes: Mapping[str, Sequence[str]], entry: Mapping[str, object]
) -> dict[str, dict[str, Any]]:
    prices = {"usd_per_mtok_in": 1.0, "usd_per_mtok_out": 2.0}
    honest = {
        f"{HONEST}-{route}-{digit}": {
            "target": f"{route}/{HONEST}-{route}-{digit}",
            "api_key_env": "HONEST_KEY",
            "timeout_s": 10 * MOST_PATIENCE_S,
            **prices,
        }
        for route in ROUTES
        for digit in range(len(HONEST_LATENCIES_S))
    }
    hostile = {
        f"hostile-{route}-{way}": {
            "target": f"{route}/{way}",
            "api_key_env": "HOSTILE_KEY",
            "timeout_s": patience_s(way),
            **prices,
            **entry,
        }
        for way, on in routes.items()
        for route in on
    }
    models: dict[str, dict[str, Any]] = honest | hostile
    for name, model in models.items():
        model["base_url"] = server.base_url_of(name)
    return models


def way_of(model: str) -> str:
    """What a hostile model is called at the server."""
    return model.removeprefix("hostile-").partition("-")[2]


def honest_rows(out: Path, kind: str) -> list[dict[str, Any]]:
    """The rows of honest models, without times."""
    rows = [row for row in rows_of(out, kind) if row["model"].startswith(HONEST)]
    return without(rows, TIMINGS)


def asked_since(before: Log, after: Log) -> dict[str, dict[str, int]]:
    """What came between two logs."""
    return {
        model: counts
        for model, asks in after.items()
        if (
            counts := {
                ask: count - before.get(model, {}).get(ask, 0)
                for ask, count in asks.items()
                if count > before.get(model, {}).get(ask, 0)
            }
        )
    }


def files_with_keys(folder: Path) -> list[str]:
    """Files whose bytes, or whose rows, hold a key."""
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if path.suffix == ".parquet":
            sink = pa.BufferOutputStream()
            table = pq.read_table(path)
            with pa.ipc.new_stream(sink, table.schema) as stream:
                stream.write_table(table)
            data += sink.getvalue().to_pybytes()
        found += [f"{path}: {form}" for form in keys_in(data, KEYS.values())]
    return found
