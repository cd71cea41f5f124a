"""How the run was made: its manifest and rows, for readers who have only the report.

Expects the manifest's keys, but trusts no value: each is shown as printable text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.across.thresholds import thresholds
from mirror_ray.analysis.report.cells import kind_of_column, moment_text
from mirror_ray.analysis.report.section import (
    UNDEFINED_CELL,
    Part,
    ReportListing,
    ReportTable,
    Section,
    with_rows,
)
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.core.plain_yaml import write_yaml
from mirror_ray.core.untrusted import bounded_float, one_printable_line, printable
from mirror_ray.records.control_changes import changes_in
from mirror_ray.records.manifest import mapping_of, of_all_runs, runs_of
from mirror_ray.records.versions_differ import notes_for_readers

_MOST_CHARS = 200_000
_MOST_LISTED = 20
_MOST_PROMPT_CHARS, _MOST_PROMPTS = 20_000, 60
_SAID = kind_of_column(lambda said: said or UNDEFINED_CELL, is_number=False)
_SECRET = re.compile(r"key|token|secret|auth|passw|cookie|credential|header", re.IGNORECASE)
_PACKAGES = ("mirror-ray", "python", "mujoco", "litellm", "ray", "duckdb", "pyarrow", "numpy")
_STAGE_KEYS = {"family", "conditions", "seeds", "runs", "temperature", "variant", "weight"}
_SETTINGS = ("max_tokens", "reasoning_effort", "tokens_per_image", "timeout_s", "vision")


def section(run: Reading) -> Section:
    """Return sweep, programs, models, prompts, seeds and thresholds."""
    parts: list[Part] = []
    if run.manifest:
        parts += [
            _from_manifest(run, "how_programs", _programs(run.manifest)),
            _from_manifest(run, "how_stages", _stages(run.manifest)),
            _from_manifest(run, "how_changed", _changes(run.manifest)),
        ]
    if run.families():
        parts += [_models(run), *servers(run), _scenes(run)]
    parts.append(thresholds(run))
    if run.manifest:
        parts.append(_sweep(run.manifest))
    parts += _prompts(run)
    return Section("how_made", "How this was made", _lead(run), with_rows(*parts))


def _lead(run: Reading) -> str:
    if not run.manifest:
        return "The run directory has no manifest: what it ran on is not known."
    runs = runs_of(run.manifest)
    latest = runs[-1] if runs else {}
    file, overrides = _line(latest.get("sweep_file")), latest.get("overrides")
    words = [_line(word) for word in overrides] if isinstance(overrides, list) else []
    said = f"mirror-ray run {' '.join([file, *words])}" if file else "not recorded"
    begun = [moment_text(_line(one.get("started_at"))) for one in runs]
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


def _from_manifest(run: Reading, part: str, rows: Sequence[Row], asks: str = "") -> ReportTable:
    file = section_file(__name__, run, columns={"said": _SAID}, asks=asks)
    return file.table(part, pa.Table.from_pylist(list(rows)))


def servers(run: Reading) -> list[ReportTable]:
    """Return two tables of the run's own model servers: which one answered for each model, and when
    it used which GPUs. None are returned if the run served no model."""
    file = section_file(__name__, run)
    held = file.table("how_held")
    return [file.table("how_servers"), held] if held.data.num_rows else []


def _scenes(run: Reading) -> ReportTable:
    columns = "family, condition, scene_seed, run, finished_at"
    file = section_file(__name__, run, episodes=run.every("stage", "episodes", columns))
    return file.table("how_scenes")


def _programs(manifest: Mapping[str, Any]) -> list[Row]:
    rows: list[Row] = []
    for about in runs_of(manifest):
        versions, hosts = mapping_of(about.get("versions")), mapping_of(about.get("hosts"))
        for host, drawn in hosts.items() or (("", about),):
            gl = mapping_of(mapping_of(drawn).get("gl"))
            rows.append(
                {
                    "started": moment_text(_line(about.get("started_at"))),
                    "host": _line(host),
                    "cpu": _line(mapping_of(drawn).get("cpu") or about.get("cpu")),
                    "renderer": " ".join(
                        _line(gl[key]) for key in ("backend", "renderer", "version") if gl.get(key)
                    ),
                    **{name: _line(versions.get(name)) for name in _PACKAGES},
                }
            )
    return rows


def _changes(manifest: Mapping[str, Any]) -> list[Row]:
    return [
        {
            "at": one.at,
            "command": one.command,
            "of": one.subject,
            "setting": one.setting,
            "before": _figure(one.before),
            "after": _figure(one.value),
            "by": one.by,
        }
        for one in changes_in(manifest)
    ]


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,g}"


def _stages(manifest: Mapping[str, Any]) -> list[Row]:
    stages = manifest["sweep"].get("stages")
    return [
        {
            "family": _line(stage.get("family")),
            "conditions": _listed(stage.get("conditions")),
            "seeds": _line(stage.get("seeds")),
            "runs": _line(stage.get("runs")),
            "temperature": _temperatures(stage.get("temperature")),
            "variant": _listed(stage.get("variant")),
            "other settings": "; ".join(
                f"{_line(key)} = {_listed(value)}"
                for key, value in stage.items()
                if key not in _STAGE_KEYS and value is not None
            ),
        }
        for stage in map(mapping_of, stages if isinstance(stages, list) else ())
    ]


def _models(run: Reading) -> ReportTable:
    asks = run.every("shard", "steps", "model, model_version")
    file = section_file(__name__, run, asks=asks)
    named = {row["model"]: row["versions"] for row in file.rows("how_models")}
    # A start may play only some models, and only one of the run directories.
    entries, withheld = (of_all_runs(run.manifest or {}, key) for key in ("models", "withheld"))
    names = sorted({*named, *entries}) if entries else sorted(named)
    rows = [_model(name, mapping_of(entries.get(name)), named, withheld) for name in names]
    return _from_manifest(run, "how_models", rows, asks)


def _model(
    name: str, entry: Mapping[str, Any], named: Mapping[str, str], withheld: Mapping[str, Any]
) -> Row:
    settings = [f"{key} {_line(entry[key])}" for key in _SETTINGS if entry.get(key) is not None]
    settings += [
        f"{_line(key)} {'(not shown)' if _SECRET.search(str(key)) else _line(value)}"
        for key, value in mapping_of(entry.get("extra")).items()
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


def _prompts(run: Reading) -> Iterator[ReportListing]:
    part = "how_prompts_{family}"
    for family in run.families():
        file = section_file(__name__, run, family=family, most=str(_MOST_PROMPT_CHARS))
        said = [row for row in file.rows(part) if row["system"] or row["user"]]
        if said:
            title, text = file.texts(part)
            more = len(said) - _MOST_PROMPTS
            text += f" {more} more conditions are not shown." if more > 0 else ""
            lines = "\n\n".join(_prompt_texts(said[:_MOST_PROMPTS]))
            yield ReportListing(part.format(family=family), title, text, lines)


def _prompt_texts(rows: list[Row]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for row in rows:
        where = one_printable_line(f"{row['condition']} · {row['variant']}")
        for part in ("system", "user"):
            text = row[part]
            if not text:
                continue
            before = seen.setdefault(text, f"{where}, {part}")
            same = before != f"{where}, {part}"
            body = f"the same as {before}" if same else printable(text, _MOST_PROMPT_CHARS)
            yield f"── {where} · {part} ──\n{body}"


def _sweep(manifest: Mapping[str, Any]) -> ReportListing:
    text = write_yaml(manifest["sweep"])
    return ReportListing(
        "how_sweep",
        "The sweep, resolved",
        "The sweep file after overrides and defaults, as the manifest has it.",
        printable(text, _MOST_CHARS),
    )


def _line(value: object) -> str:
    return "" if value is None else one_printable_line(str(value))


def _listed(value: object) -> str:
    if not isinstance(value, list):
        return _line(value)
    more = len(value) - _MOST_LISTED
    return ", ".join(map(_line, value[:_MOST_LISTED])) + (f" and {more} more" if more > 0 else "")


def _temperatures(value: object) -> str:
    if not isinstance(value, list):
        return _line(value)
    return _listed(["the provider's own" if one is None else one for one in value])


def _host(address: object) -> str:
    try:
        parts = urlsplit(address) if isinstance(address, str) else None
        return _line(f"{parts.hostname}{parts.path}") if parts and parts.hostname else ""
    except ValueError:
        return ""
