r"""A table in LaTeX, with booktabs' rules: ``\input`` it into a paper.

Knows LaTeX's special characters; does not know what the table says.
"""

from itertools import groupby

from analysis.report.section import Cell, Column, Table

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


def latex_table(table: Table) -> str:
    """A ``table`` environment that needs ``\\usepackage{booktabs}`` and nothing else.

    Intervals and denominators stand smaller beside their figure. All of the table's rows are in it.
    """
    alignment = "".join("r" if column.is_number else "l" for column in table.columns)
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\caption{{{escaped(table.title)}. {escaped(table.text)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _line([escaped(column.heading) for column in table.columns]),
        r"\midrule",
    ]
    groups = groupby(table.data.to_pylist(), key=table.group or (lambda row: ""))
    for position, (heading, rows) in enumerate(groups):
        if heading:
            lines += [r"\addlinespace"] if position else []
            lines.append(
                _line(
                    [rf"\multicolumn{{{len(table.columns)}}}{{l}}{{\emph{{{escaped(heading)}}}}}"]
                )
            )
        lines += [
            _line([_cell(column, column.show(row)) for column in table.columns]) for row in rows
        ]
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text that LaTeX prints as it stands; control characters and line breaks become spaces."""
    return "".join(_SPECIAL.get(char, char if char.isprintable() else " ") for char in text)


def _cell(column: Column, cell: Cell) -> str:
    text = escaped(cell.text)
    return rf"{text} {{\scriptsize {escaped(cell.small)}}}" if cell.small else text


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
