r"""A table in LaTeX, with booktabs' rules: ``\input`` it into a paper."""

import re
from collections.abc import Mapping

from mirror_ray.analysis.report.latex_layout import Layout, layout_of
from mirror_ray.analysis.report.section import ReportTable, TableCell
from mirror_ray.analysis.report.shown import TableText
from mirror_ray.core.shipped_files import shipped_yaml

_SPECIAL: Mapping[str, str] = shipped_yaml(__package__, "latex.yaml")
"""Character → the command that prints it."""
# Without it, two of them would print as another character.
_DOUBLED = r"-(?=-)|'(?=')"
# The characters that pdfLaTeX prints without a package; any other character stops it with an error.
_FOREIGN = r"[^\x20-\x7e¡-ª¬®-º¼-ÏÑ-Ýß-ïñ-ýÿ‘’“”—…]+"
_MARKED = re.compile(f"[{re.escape(''.join(_SPECIAL))}]|{_DOUBLED}|{_FOREIGN}")
_ENDS_A_PART = re.compile(r"(?<=[A-Za-z0-9])(/|:|\\_)(?=[A-Za-z0-9])")
_TOO_WIDE = r"% wider than a page: choose conditions, or \usepackage{rotating} and sidewaystable"


def latex_table(table: ReportTable, seen: TableText) -> str:
    r"""Return a ``table`` environment that needs ``\usepackage{booktabs}`` and nothing else.

    Intervals are printed smaller, next to their figure, or under it if the table would be too wide
    for a page. The best figure is bold; figures that share a letter are not distinguishable. The
    table has all rows with a figure; if there are very many, the first and last ones."""
    layout = layout_of(seen)
    alignment = "".join(layout.columns)
    said = " ".join(filter(None, (table.text, table.replies, seen.note_in(table.name))))
    lines = [
        r"% \usepackage{booktabs}",
        *([] if layout.fits else [_TOO_WIDE]),
        r"\begin{table}",
        rf"\caption{{{escaped_latex(table.title)}. {escaped_latex(said)}}}",
        rf"\label{{tab:{table.name}}}",
        *([layout.size] if layout.size else []),
        *([r"\setlength{\tabcolsep}{3pt}"] if layout.is_stacked else []),
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _line(
            [
                _heading(column.heading, place, layout)
                for column, place in zip(seen.columns, layout.columns, strict=True)
            ]
        ),
        r"\midrule",
    ]
    for position, (heading, rows) in enumerate(seen.groups):
        if heading:
            lines += [r"\addlinespace"] if position else []
            across = layout.across(heading)
            words = escaped_latex(heading) if across == "l" else _breakable(escaped_latex(heading))
            whole = rf"\multicolumn{{{len(seen.columns)}}}{{{across}}}{{\emph{{{words}}}}}"
            lines.append(_line([whole]))
        for row in rows:
            cells = zip(row, layout.columns, strict=True)
            lines.append(_line([_cell(cell, column, layout) for cell, column in cells]))
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def escaped_latex(text: str) -> str:
    """Escape text so that LaTeX prints it unchanged; control characters become spaces.

    Characters of other scripts are printed as code points, ``U+6A21``, in pdfLaTeX, and unchanged
    in XeLaTeX and LuaLaTeX, whose fonts may have them."""
    inert = "".join(char if char.isprintable() else " " for char in text)
    return _MARKED.sub(_command, inert)


def _command(found: re.Match[str]) -> str:
    text = found[0]
    if text in _SPECIAL:
        return _SPECIAL[text]
    if text.isascii():
        return f"{text}{{}}"
    codes = " ".join(f"U+{ord(char):04X}" for char in text)
    return rf"\ifdefined\Umathchar {text}\else {codes}\fi{{}}"


def _cell(cell: TableCell, column: str, layout: Layout) -> str:
    text = escaped_latex(cell.text)
    if column not in ("l", "r"):
        text = _breakable(text)
    text = rf"\textbf{{{text}}}" if cell.is_best else text
    letters = rf"\textsuperscript{{{escaped_latex(cell.letters)}}}" if cell.letters else ""
    if not cell.small:
        return f"{text}{letters}"
    small = rf"{{{layout.small} {escaped_latex(cell.small)}}}"
    if not layout.is_stacked or column not in ("l", "r"):
        return f"{text}{letters} {small}"
    under = rf"{text}{letters} \\ {small}"
    return rf"\begin{{tabular}}[t]{{@{{}}{column}@{{}}}}{under}\end{{tabular}}"


def _breakable(text: str) -> str:
    """Allow line breaks within a name, which has no space. The text is escaped already."""
    return _ENDS_A_PART.sub(r"\g<0>\\allowbreak{}", text)


def _heading(heading: str, column: str, layout: Layout) -> str:
    words = [escaped_latex(word) for word in heading.split()]
    if not layout.is_stacked or column not in ("l", "r") or len(words) < 2:
        return escaped_latex(heading)
    stacked = r" \\ ".join(words)
    return rf"\begin{{tabular}}[b]{{@{{}}{column}@{{}}}}{stacked}\end{{tabular}}"


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
