"""textmirror's tables for people: authors as rows, editors as columns."""

from itertools import groupby
from typing import Any

import duckdb
from rich.table import Table
from rich.text import Text

from mirror_ray.analysis.summary_cells import (
    MOSTLY_UNREAD,
    WIDE,
    broken,
    fitted_tables,
    is_mostly_unread,
    name_width,
    read_below,
    whole_lines,
)
from mirror_ray.core.identity import variant_words

_PAIRS = """
select
    condition, temperature, variant, reads, author, editor, reader, n, accuracy, ci_low, ci_high,
    p_holm, chance, n_failed, n_replies, n_read
from metric.textmirror_pairs
where editor is not null
order by condition desc, temperature, variant, reads, author, reader, editor
"""
_KEPT = """
select temperature, n_sentences, sum(n_kept) as n_kept, sum(n) as n
from metric.textmirror_retention
group by all
order by all
"""
SIGNIFICANT = 0.05
_HEADER_CELLS = 14
_TITLES = {
    "recognition": "who notices whose sentence",
    "authorship": "which of two did you write",
    "attribution": "which model wrote this",
}


def tables(connection: duckdb.DuckDBPyConnection, width: int = WIDE) -> list[Table]:
    """Return the n×n table of each condition, temperature, variant and kind of reader. `width` is
    the terminal's, in columns."""
    cursor = connection.execute(_PAIRS)
    names = [column[0] for column in cursor.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    grouped = groupby(
        rows, lambda row: (row["condition"], row["temperature"], row["variant"], row["reads"])
    )
    tables = [
        table for setting, members in grouped for table in _tables(setting, list(members), width)
    ]
    if tables:
        said = "\n".join(filter(None, (str(tables[-1].caption), _stories(connection))))
        tables[-1].caption = whole_lines(said, width)
    return tables


def _tables(
    setting: tuple[str, float | None, str, str], rows: list[dict[str, Any]], width: int
) -> list[Table]:
    condition, temperature, variant, reads = setting
    at = "" if temperature is None else f" · temperature {temperature:g}"
    whose = "" if reads == "own" else " · others' stories"
    failed = sum(row["n_failed"] for row in rows)
    chance = rows[0]["chance"]
    level = "" if chance is None else f"Chance: {chance:.2f}. "
    editors = sorted({row["editor"] for row in rows})
    names = name_width((row["author"] for row in rows), width)
    drawn = []
    for (author, reader), members in groupby(rows, lambda row: (row["author"], row["reader"])):
        found = {row["editor"]: row for row in members}
        cells = [_cell(found[editor]) if editor in found else Text("") for editor in editors]
        most = max(row["n"] for row in found.values())
        who = author if reader == author else f"{author}, read by {reader.rpartition('/')[2]}"
        provider, slash, name = who.rpartition("/") if reader == author else ("", "", who)
        read = read_below(list(found.values()))
        below = f"{broken(f'{provider}{slash}', names)} n≤{most}{read}".lstrip()
        drawn.append((Text.assemble((broken(name, names), "bold"), (f"\n{below}", "dim")), cells))
    tables = fitted_tables(
        Text.assemble(
            (f"\ntextmirror {condition}: {_TITLES[condition]}", "bold"),
            (f"{at} · {variant_words(variant)}{whose}", "dim"),
        ),
        "author ↓  editor →",
        [broken(editor.rpartition("/")[2], _HEADER_CELLS) for editor in editors],
        drawn,
        width=width,
    )
    tables[-1].caption = whole_lines(
        f"{level}* above it at p < {SIGNIFICANT} after Holm's correction over the table;"
        f" intervals are Wilson intervals." + (f" {_errors(failed)} left out." if failed else ""),
        width,
    )
    return tables


def _errors(number: int) -> str:
    return "1 episode with an error is" if number == 1 else f"{number} episodes with an error are"


def _cell(row: dict[str, Any]) -> Text:
    if row["accuracy"] is None:
        return Text("–", style="dim")
    star = "*" if row["p_holm"] is not None and row["p_holm"] < SIGNIFICANT else ""
    if is_mostly_unread(row):
        said = _share(row["accuracy"]) if row["n_read"] else "–"
        return Text(f"{said} {MOSTLY_UNREAD}", "dim")
    ends = "–".join(_share(row[end]).replace("1.00", "1") for end in ("ci_low", "ci_high"))
    own = "bold" if row["author"] == row["editor"] else ""
    return Text.assemble((f"{_share(row['accuracy'])}{star}", own), (f"\n{ends}", "dim"))


def _share(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _stories(connection: duckdb.DuckDBPyConnection) -> str:
    kept = [
        f"{int(n_kept):,} of {int(n):,} stories had exactly {n_sentences} sentences"
        + ("" if temperature is None else f" at {temperature:g}")
        for temperature, n_sentences, n_kept, n in connection.execute(_KEPT).fetchall()
    ]
    return "; ".join(kept) + "; the others are not used." if kept else ""
