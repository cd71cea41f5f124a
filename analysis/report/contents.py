"""What the report holds, in its order: headlines, the families, and what concerns them all.

Knows the order and the figures at the top; does not know a section's inside.
"""

from analysis.reading import Reading, Row
from analysis.report.across import ablations, comparisons, costs, headlines, quality
from analysis.report.cells import number_text, usd_text
from analysis.report.page import Tile
from analysis.report.section import Section
from analysis.report.sections import read_sections


def contents(run: Reading) -> tuple[Section, ...]:
    """Every section that the run has something for."""
    sections = [
        headlines.section(run),
        *read_sections(run),
        comparisons.section(run),
        ablations.section(run),
        costs.section(run),
        quality.section(run),
    ]
    return tuple(section for section in sections if section is not None)


def heading(run: Reading) -> tuple[str, str, tuple[Tile, ...]]:
    """The title, a sentence, and the figures at the top."""
    if not run.families():
        return "A run without episodes", "Nothing has been sealed yet.", ()
    episodes = run.every(
        "stage",
        "episodes",
        "sweep, family, condition, model, temperature, variant, error_kind, finished_at",
    )
    asks = run.every("shard", "steps", "tokens_in, tokens_out, cost_usd, model")
    facts = run.rows(
        f"with episodes as (\n{episodes}\n)\n"
        "select any_value(sweep) as sweep, count(*) as n, "
        "count(*) filter (where error_kind <> 'none') as n_failed, "
        "list(distinct family order by family) as families, "
        "count(distinct model) as n_models, count(distinct (family, condition)) as n_conditions, "
        "count(distinct (family, condition, model, temperature, variant)) as n_cells, "
        "min(finished_at)[:10] as first, max(finished_at)[:10] as last from episodes"
    )[0]
    paid = run.rows(
        f"with asks as (\n{asks}\n)\n"
        "select count(*) as n, sum(cost_usd) as usd, count(*) - count(cost_usd) as n_unpriced, "
        "sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0))::bigint as tokens from asks"
    )[0]
    days = (
        facts["first"]
        if facts["first"] == facts["last"]
        else f"{facts['first']} to {facts['last']}"
    )
    lead = f"{', '.join(facts['families'])} · played {days}"
    tiles = (
        Tile("episodes", number_text(facts["n"]), f"{facts['n_failed']:,} failed"),
        Tile("models", number_text(facts["n_models"])),
        Tile("conditions", number_text(facts["n_conditions"]), f"{facts['n_cells']:,} cells"),
        Tile(
            "replies",
            number_text(paid["n"]),
            f"{paid['tokens']:,} tokens" if paid["tokens"] else "",
        ),
        Tile(
            "cost",
            usd_text(paid["usd"]),
            _pricing(paid),
        ),
    )
    return facts["sweep"], lead, tiles


def _pricing(paid: Row) -> str:
    if not paid["n_unpriced"]:
        return ""
    if paid["usd"] is None:
        return "no price is known"
    return f"at least: {paid['n_unpriced']:,} asks have no price"
