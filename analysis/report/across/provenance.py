"""How the run was made: its manifest and rows, for readers who have only the report.

Expects the manifest's keys, but trusts no value: each is shown as printable text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.across.changes import changes
from mirror_ray.analysis.report.across.manifest_table import MANIFEST, from_manifest
from mirror_ray.analysis.report.across.prompts import prompts
from mirror_ray.analysis.report.across.scenes import scenes
from mirror_ray.analysis.report.across.servers import servers
from mirror_ray.analysis.report.across.thresholds import thresholds
from mirror_ray.analysis.report.cells import moment_text, usd_column
from mirror_ray.analysis.report.section import Part, ReportListing, ReportTable, Section, with_rows
from mirror_ray.core.plain_yaml import write_yaml
from mirror_ray.core.untrusted import bounded_float, one_printable_line, printable
from mirror_ray.records.versions_differ import notes_for_readers

_MOST_CHARS = 200_000
_MOST_LISTED = 20
_SECRET = re.compile(r"key|token|secret|auth|passw|cookie|credential|header", re.IGNORECASE)
_PACKAGES = ("mirror-ray", "python", "mujoco", "litellm", "ray", "duckdb", "pyarrow", "numpy")
_SETTINGS = ("max_tokens", "reasoning_effort", "tokens_per_image", "timeout_s", "vision")
_VERSIONS = """\
with asks as (
{asks}
)

select model, string_agg(distinct model_version, ', ' order by model_version) as versions
from asks
where model_version is not null
group by model
order by model"""


def section(run: Reading) -> Section:
    """Sweep, programs, models, prompts, seeds and thresholds."""
    parts: list[Part] = []
    if run.manifest:
        parts += [_programs(run.manifest), _stages(run.manifest), changes(run.manifest)]
    if run.families():
        parts += [_models(run), *servers(run), scenes(run)]
    parts.append(thresholds(run))
    if run.manifest:
        parts.append(_sweep(run.manifest))
    parts += prompts(run)
    return Section("how_made", "How this was made", _lead(run), with_rows(*parts))


def _lead(run: Reading) -> str:
    if not run.manifest:
        return "The run directory has no manifest: what it ran on is not known."
    latest = _latest(run.manifest)
    file, overrides = _line(latest.get("sweep_file")), latest.get("overrides")
    words = [_line(word) for word in overrides] if isinstance(overrides, list) else []
    said = f"mirror-ray run {' '.join([file, *words])}" if file else "not recorded"
    begun = [moment_text(_line(_map(one).get("started_at"))) for one in run.manifest["runs"]]
    text = (
        f"Command: {said}. Sweep {_line(run.manifest.get('sweep_sha'))}, records of schema "
        f"version {_line(run.manifest.get('schema_version'))}, begun {', '.join(begun[:5])}"
    )
    more = len(begun) - 5
    together = _listed(run.manifest.get("run_dirs")) if run.manifest.get("run_dirs") else ""
    if together:
        text = f"Run directories read as one: {together}. The latest start: {text}"
    said_more = f" and {more} more times" if more > 0 else ""
    return " ".join([f"{text}{said_more}.", *notes_for_readers(run.manifest)])


def _programs(manifest: Mapping[str, Any]) -> ReportTable:
    """One row per start of the run and host that rendered."""
    rows: list[Row] = []
    for one in manifest["runs"]:
        about = _map(one)
        versions, hosts = _map(about.get("versions")), _map(about.get("hosts"))
        for host, drawn in hosts.items() or (("", about),):
            gl = _map(_map(drawn).get("gl"))
            rows.append(
                {
                    "started": moment_text(_line(about.get("started_at"))),
                    "host": _line(host),
                    "cpu": _line(_map(drawn).get("cpu") or about.get("cpu")),
                    "renderer": " ".join(
                        _line(gl[key]) for key in ("backend", "renderer", "version") if gl.get(key)
                    ),
                    **{name: _line(versions.get(name)) for name in _PACKAGES},
                }
            )
    return from_manifest(
        "how_programs",
        "Programs and machines",
        "One row for each start of the run and each machine that drew its pictures.",
        rows,
        ("started", "host", "cpu", "renderer", *_PACKAGES),
    )


def _stages(manifest: Mapping[str, Any]) -> ReportTable:
    stages = manifest["sweep"].get("stages")
    rows = [
        {
            "family": _line(_map(stage).get("family")),
            "conditions": _listed(_map(stage).get("conditions")),
            "seeds": _line(_map(stage).get("seeds")),
            "runs": _line(_map(stage).get("runs")),
            "temperature": _temperatures(_map(stage).get("temperature")),
            "variant": _listed(_map(stage).get("variant")),
            "other settings": "; ".join(
                f"{_line(key)} = {_listed(value)}"
                for key, value in _map(stage).items()
                if key
                not in ("family", "conditions", "seeds", "runs", "temperature", "variant", "weight")
                and value is not None
            ),
        }
        for stage in (stages if isinstance(stages, list) else ())
    ]
    return from_manifest(
        "how_stages",
        "What was planned",
        "Seeds give scenes, equal for all models; runs repeat them. A dash: as the family has it.",
        rows,
        (*("family", "conditions", "seeds", "runs", "temperature", "variant"), "other settings"),
    )


def _models(run: Reading) -> ReportTable:
    """The models as they were requested, and as they called themselves."""
    asks = run.every("shard", "steps", "model, model_version")
    sql = _VERSIONS.format(asks=asks)
    named = {row["model"]: row["versions"] for row in run.rows(sql)}
    # A start may play only some of the models, or of the run directories.
    entries, withheld = _of_all_starts(run, "models"), _of_all_starts(run, "withheld")
    names = sorted({*named, *entries}) if entries else sorted(named)
    rows = [_model(name, _map(entries.get(name)), named, withheld) for name in names]
    table = from_manifest(
        "how_models",
        "Models",
        "As asked, and as the replies name them; what was asked for but not sent, because the "
        "catalogue says that the model takes none; prices as they were when it began.",
        rows,
        ("model", "called itself", "asked at", "settings", "not sent"),
    )
    prices = (
        usd_column("usd_per_mtok_in", "$ / Mtok in"),
        usd_column("usd_per_mtok_out", "$ / Mtok out"),
    )
    return ReportTable(
        table.name, table.title, table.text, sql, table.data, (*table.columns, *prices),
        source=MANIFEST,
    )  # fmt: skip


def _model(
    name: str, entry: Mapping[str, Any], named: Mapping[str, str], withheld: Mapping[str, Any]
) -> Row:
    settings = [f"{key} {_line(entry[key])}" for key in _SETTINGS if entry.get(key) is not None]
    settings += [
        f"{_line(key)} {'(not shown)' if _SECRET.search(str(key)) else _line(value)}"
        for key, value in _map(entry.get("extra")).items()
    ]
    place = [_line(entry.get(key)) for key in ("backend", "target") if entry.get(key)]
    return {
        "model": _line(name),
        "called itself": _line(named.get(name)),
        "asked at": " ".join([*place, _host(entry.get("base_url"))]).strip(),
        "settings": "; ".join(settings),
        "not sent": _listed(withheld.get(name)),
        "usd_per_mtok_in": bounded_float(entry.get("usd_per_mtok_in")),
        "usd_per_mtok_out": bounded_float(entry.get("usd_per_mtok_out")),
    }


def _sweep(manifest: Mapping[str, Any]) -> ReportListing:
    text = write_yaml(manifest["sweep"])
    return ReportListing(
        "how_sweep",
        "The sweep, resolved",
        "The sweep file after overrides and defaults, as the manifest has it.",
        printable(text, _MOST_CHARS),
    )


def _of_all_starts(run: Reading, key: str) -> Mapping[str, Any]:
    starts = (run.manifest or {"runs": []})["runs"]
    return {name: said for one in starts for name, said in _map(_map(one).get(key)).items()}


def _latest(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    runs = manifest["runs"]
    return _map(runs[-1]) if runs else {}


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _line(value: object) -> str:
    return "" if value is None else one_printable_line(str(value))


def _listed(value: object) -> str:
    if not isinstance(value, list):
        return _line(value)
    more = len(value) - _MOST_LISTED
    return ", ".join(_first(value)) + (f" and {more} more" if more > 0 else "")


def _temperatures(value: object) -> str:
    if not isinstance(value, list):
        return _line(value)
    return _listed(["the provider's own" if one is None else one for one in value])


def _first(values: Sequence[object]) -> Iterator[str]:
    return (_line(value) for value in values[:_MOST_LISTED])


def _host(address: object) -> str:
    try:
        parts = urlsplit(address) if isinstance(address, str) else None
        return _line(f"{parts.hostname}{parts.path}") if parts and parts.hostname else ""
    except ValueError:
        return ""
