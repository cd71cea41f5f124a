"""The contents of the report, in order: headlines, the families, and sections about all of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report import glossary
from mirror_ray.analysis.report.across import (
    ablations,
    audited,
    comparisons,
    controls,
    costs,
    headlines,
    provenance,
    quality,
    settled,
)
from mirror_ray.analysis.report.cells import number_text, usd_text
from mirror_ray.analysis.report.page import Tile
from mirror_ray.analysis.report.replies import with_counts
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.report.sections import read_sections


def contents(run: Reading, audits: Sequence[Mapping[str, Any]] = ()) -> tuple[Section, ...]:
    """Return every section that the run has data for. `audits` are rows of `across.audited`."""
    if not run.recorded_families():
        return ()
    sections = [
        headlines.section(run),
        *read_sections(run),
        comparisons.section(run),
        controls.section(run),
        settled.section(run),
        ablations.section(run),
        costs.section(run),
        quality.section(run),
        audited.section(run, audits),
        provenance.section(run),
    ]
    found = tuple(with_counts(section) for section in sections if section is not None)
    return (*found, *glossary.section(found))


def about_all(run: Reading) -> tuple[Section, ...]:
    """Return the sections that end every page of a run: data quality and provenance."""
    found = (quality.section(run), provenance.section(run))
    return tuple(section for section in found if section is not None)


def report_heading(run: Reading, planned: int | None = None) -> tuple[str, str, tuple[Tile, ...]]:
    """Return the title, a sentence, and the figures at the top. `planned` is the number of planned
    episodes; None if unknown, or if not all are read."""
    if not run.recorded_families():
        return "A run without episodes", "Nothing has been sealed yet.", ()
    # Episodes for which the budget was too small are only in the shards' own views.
    columns = "sweep, family, condition, model, temperature, variant, error_kind, finished_at, "
    episodes = run.every("shard", "episodes", f"{columns}episode_id, take")
    asks = run.every("stage", "asked", "tokens_in, tokens_out, cost_usd, is_latest, is_priced")
    file = section_file(__name__, run, episodes=episodes, asks=asks)
    ((facts,), (paid,)) = (file.rows(part) for part in ("episodes", "asks"))
    days = (
        facts["first"]
        if facts["first"] == facts["last"]
        else f"{facts['first']} to {facts['last']}"
    )
    lead = f"{', '.join(facts['families'])} · played {days}"
    tiles = (
        Tile("episodes", number_text(facts["n"]), _not_played_out(facts, planned)),
        Tile("models", number_text(facts["n_models"])),
        Tile("conditions", number_text(facts["n_conditions"]), f"{facts['n_cells']:,} cells"),
        Tile(
            "replies",
            number_text(paid["n"]),
            f"{paid['tokens']:,} tokens" if paid["tokens"] else "",
        ),
        Tile(
            "cost",
            usd_text(None if paid["n_unpriced"] and not paid["usd"] else paid["usd"]),
            _pricing(paid),
        ),
    )
    return facts["sweep"], lead, tiles


def _not_played_out(facts: Row, planned: int | None) -> str:
    unpaid = f", {facts['n_unpaid']:,} unpaid" if facts["n_unpaid"] else ""
    of = f"of {planned:,} planned, " if planned is not None and planned > facts["n"] else ""
    return f"{of}{facts['n_failed']:,} with an error{unpaid}"


def _pricing(paid: Row) -> str:
    if not paid["n_unpriced"]:
        return ""
    if not paid["usd"]:
        return "no price is known"
    return f"at least: {paid['n_unpriced']:,} asks have no price"
