"""A table in Markdown, as GitHub and others show it."""

import re
from collections.abc import Iterable, Sequence

from mirror_ray.analysis.report.section import ReportTable, TableCell
from mirror_ray.analysis.report.shown import TableText
from mirror_ray.core.untrusted import printable

_ACTS = re.compile(r"([\\`*_{}\[\]#+!|~<>&$@]|:(?=\S)|(?<![^\W_])-|-(?![^\W_]))")
"""`:`, `@` and `-` make links, mentions and rules, except before a space or within a name. An
address in parentheses is a link only after words in brackets.
"""


def markdown_table(table: ReportTable, seen: TableText) -> str:
    """Return title, sentence and table, with all rows that have a figure or only the first and
    last."""
    rows: list[list[str]] = []
    for heading, lines in seen.groups:
        if heading:
            rows.append([f"*{escaped_markdown(heading)}*", *[""] * (len(seen.columns) - 1)])
        rows += [[_cell(cell) for cell in line] for line in lines]
    said = seen.note_in(table.name)
    if not rows and said:
        return f"**{escaped_markdown(table.title)}.** {escaped_markdown(said)}\n"
    note = f"\n{escaped_markdown(said)}\n" if said else ""
    body = markdown_rows(
        [escaped_markdown(column.heading) for column in seen.columns],
        [column.is_number for column in seen.columns],
        rows,
    )
    text = " ".join(filter(None, (table.text, table.replies)))
    return f"**{escaped_markdown(table.title)}.** {escaped_markdown(text)}\n\n{body}{note}"


def markdown_rows(
    headings: Sequence[str], are_numbers: Sequence[bool], rows: Iterable[Sequence[str]]
) -> str:
    """Return a table of cells that are already escaped."""
    rules = ["--:" if is_number else ":--" for is_number in are_numbers]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (headings, rules, *rows))


def escaped_markdown(text: str) -> str:
    """Escape text so that Markdown shows it unchanged, on one line."""
    line = " ".join(printable(text).split())
    return _ACTS.sub(r"\\\1", line)


def _cell(cell: TableCell) -> str:
    text = f"**{escaped_markdown(cell.text)}**" if cell.is_best else escaped_markdown(cell.text)
    letters = f"<sup>{escaped_markdown(cell.letters)}</sup>" if cell.letters else ""
    return f"{text}{letters}{f' ({escaped_markdown(cell.small)})' if cell.small else ''}"
