"""The top of a report: what makes it checkable, which is its seals, registration and controls."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.page import Tile
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.manifest import mapping_of, runs_of
from mirror_ray.records.storage import names_in, storage_of

_KEY = "registration"
_SEAL = ("seal.json", "seal-")
_REPLAYER = "replayer"
_PICTURE = "picture="


def check_tiles(
    run: Reading, directories: Sequence[str], manifest: Mapping[str, Any] | None
) -> tuple[Tile, ...]:
    """Return the figures on seals, registration and controls."""
    n_seals = sum(
        name.startswith(_SEAL) and name.endswith(".json")
        for directory in directories
        for name in names_in(*storage_of(directory))
    )
    registration = _registration(manifest)
    at = one_printable_line(str(registration.get("registered_at", ""))[:10])
    digest = one_printable_line(str(registration.get("sha256", ""))[:12])
    played = run.every("shard", "episodes", "model, variant")
    query = f"with played as (\n{played}\n) select distinct model, variant from played"  # noqa: S608
    cells = run.rows(query) if played else []
    controls = [
        name
        for name, is_there in (
            ("replayer", any(_REPLAYER in row["model"] for row in cells)),
            ("blind pictures", any(_PICTURE in row["variant"] for row in cells)),
        )
        if is_there
    ]
    return (
        Tile("seals", f"{n_seals:,}", "mirror-ray verify checks one" if n_seals else ""),
        Tile("registered", at or "no", digest or "all is exploratory"),
        Tile("controls", f"{len(controls)} of 2", ", ".join(controls)),
    )


def marks(manifest: Mapping[str, Any] | None) -> Callable[[str], str]:
    """Return a function from a part's name to whether it was registered, as text; "" without a
    registration."""
    registration = _registration(manifest)
    claims = registration.get("claims")
    shown = {
        name
        for claim in _listed(claims)
        for name in _listed(mapping_of(claim).get("shown_in"))
        if isinstance(name, str)
    }
    if not registration:
        return lambda _: ""
    return lambda name: "registered" if name in shown else "exploratory"


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _registration(manifest: Mapping[str, Any] | None) -> Mapping[str, Any]:
    # A replay is a control of the claims and makes none itself.
    starts = [run for run in runs_of(manifest or {}) if "replayed" not in run]
    found = [mapping_of(run.get(_KEY)) for run in starts]
    return found[0] if found and all(one == found[0] for one in found) else {}
