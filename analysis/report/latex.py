r"""A table in LaTeX, with booktabs' rules: ``\input`` it into a paper."""

from mirror_ray.analysis.report.section import Cell, Table
from mirror_ray.analysis.report.shown import Shown

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "→": r"$\rightarrow$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "τ": r"$\tau$",
}


def latex_table(table: Table, seen: Shown) -> str:
    """A ``table`` environment that needs ``\\usepackage{booktabs}`` and nothing else.

    Intervals stand smaller beside their figure; the best is bold, and figures that share a letter
    are not told apart. All of the table's rows are in it.
    """
    alignment = "".join("r" if column.is_number else "l" for column in seen.columns)
    note = f" {escaped(seen.note)}" if seen.note else ""
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\caption{{{escaped(table.title)}. {escaped(table.text)}{note}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _line([escaped(column.heading) for column in seen.columns]),
        r"\midrule",
    ]
    for position, (heading, rows) in enumerate(seen.groups):
        if heading:
            lines += [r"\addlinespace"] if position else []
            lines.append(
                _line([rf"\multicolumn{{{len(seen.columns)}}}{{l}}{{\emph{{{escaped(heading)}}}}}"])
            )
        lines += [_line([_cell(cell) for cell in row]) for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text that LaTeX prints unchanged; control characters and line breaks become spaces."""
    return "".join(_SPECIAL.get(char, char if char.isprintable() else " ") for char in text)


def _cell(cell: Cell) -> str:
    text = rf"\textbf{{{escaped(cell.text)}}}" if cell.is_best else escaped(cell.text)
    letters = rf"\textsuperscript{{{escaped(cell.letters)}}}" if cell.letters else ""
    small = rf" {{\scriptsize {escaped(cell.small)}}}" if cell.small else ""
    return f"{text}{letters}{small}"


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
