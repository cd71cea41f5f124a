"""Splits a reply into its statements, in one pass: markdown and LaTeX are removed, sentences
separated."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_LATEX = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"(?<=\d)\{,\}(?=\d)", ","),
        (r"\$(?=[ ]?\\[dt]?frac\b)", " "),
        (r"\\(?:text|textbf|mathrm|mathbf|textrm|operatorname)\{([^{}\n]*+)\}", r"\1"),
        (r"\\[dt]?frac\{([^{}\n]*+)\}\{([^{}\n]*+)\}", r"\1/\2"),
        (r"(?<=[A-Za-z])[ ]?\^\{?2\}?(?!\d)", "²"),
        (r"(?<=[A-Za-z])[ ]?\^\{?3\}?(?!\d)", "³"),
        (r"\\times\b|\\cdot\b", "×"),
        (r"\\div\b", "÷"),
        (r"\\approx\b", "≈"),
        (r"\\(?:to|rightarrow|Rightarrow|implies)\b", "→"),
        (r"\\(?:left|right|quad|qquad|displaystyle)\b|\\[,;! ]", " "),
        (r"\\([%$&#_{}])", r"\1"),
        (r"\\[()\[\]]|\$\$", " "),
        (r"\$(?=[ ]?[\\*A-Za-z(])|(?<=[\w})*])[ ]?\$(?!\d)", " "),
        (r"(?<=\d)[ ]?\*[ ]?(?=\d)", " × "),
    )
)
_BOXED = re.compile(r"\\boxed[ ]?\{|\\fbox[ ]?\{")
_BOLD = re.compile(r"\*{2,3}+([^*\n]++)\*{2,3}|(?<!\w)__([^_\n]++)__(?!\w)")
_MARKED = re.compile(
    r"(?<![\w*])\*([^*\n]++)\*(?![\w*])|`([^`\n]++)`|(?<!\w)_([^_\n]++)_(?!\w)"
    r'|"([^"\n]++)"|“([^“”\n]++)”'
)
_MARKS = re.compile(r"[*`]|(?<!\w)__?+(?=\S)|(?<=\S)__?+(?!\w)")
_SENTENCE = re.compile(
    r"(?<![.\s][C-Z])(?<!\b(?:Mr|Dr|St|vs|No))(?<!\b(?:Mrs|etc|i\.e|e\.g))[.!?…][\"'”’)*_`\]]*+[^\S\n]++"
    r"(?=[\"'“‘(*_`\[¿¡]*+[A-ZÀ-ÞΑ-ЯĀ-Ž0-9])"
    r"(?!(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-z]{0,7} \d)"
)
_ITEM = re.compile(r"[^\S\n]*+(?:[-–•+][^\S\n]++|\*[^\S\n]++|\(?\d{1,2}[.)][^\S\n]++)")
_STEP = re.compile(
    r"[*_]*+(?:(?:step|stage)[^\S\n]++\d{1,2}[*_]*+[^\S\n]*+[.:)–—-]?+"
    r"|(?:first|second|third|fourth|fifth|sixth|last|next|then|middle|(?:small|larg|young|old|earli|lat|short|long|tall|light|heavi"
    r"|low|high|slow|fast)est|\d(?:st|nd|rd|th))[*_]*+[^\S\n]?[:–—]"
    r"(?=[*_\s]))[*_]*+[^\S\n]*+",
    re.IGNORECASE,
)
_HEADING = re.compile(r"[^\S\n]*+#{1,6}[^\S\n]++")
_FENCE = re.compile(r"[^\S\n]*+(?:```|~~~)")
_RULE = re.compile(r"[\s|:*_=–—-]*+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, or a line that is not a sentence.

    Args:
        text: without marks.
        bold: its parts in bold, in a box, or as a line of code.
        marked: what is in italics, code or quotation marks.
        line: its line of the reply.
        item: an item of a list, or a numbered step.
        heading: a heading, which names what follows.
        row: a row of a table, or one of several lines of code.
    """

    text: str
    bold: tuple[str, ...]
    marked: tuple[str, ...]
    line: int
    item: bool = False
    heading: bool = False
    row: bool = False

    @property
    def stands_alone(self) -> bool:
        """Whether all of it is bold or code."""
        return len(self.bold) == 1 and len(self.bold[0]) >= len(self.text) - 2


def statements(text: str) -> list[Statement]:
    """Return the statements of a reply, in order."""
    found: list[Statement] = []
    code: list[Statement] | None = None
    for number, line in enumerate(_without_latex(text).splitlines()):
        if _FENCE.match(line):
            found += _drawn(code or [])
            code = [] if code is None else None
        elif _RULE.fullmatch(line):
            continue
        elif code is None:
            found += _of_line(line, number)
        else:
            code.append(Statement(line.strip(), (line.strip(),), (), number))
    return found + _drawn(code or [])


def _drawn(code: list[Statement]) -> list[Statement]:
    return code if len(code) == 1 else [replace(line, bold=(), row=True) for line in code]


def part_of(whole: Statement, text: str) -> Statement:
    """Return a part of a statement as a statement."""
    return replace(
        whole,
        text=text.strip(),
        bold=tuple(each for each in whole.bold if each in text),
        marked=tuple(each for each in whole.marked if each in text),
    )


def _boxes(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    at = 0
    while head := _BOXED.search(text, at):
        depth, end = 1, head.end()
        while depth and end < len(text):
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        if depth:
            return
        yield (head.start(), end), text[head.end() : end - 1]
        at = end


def _without_latex(text: str) -> str:
    text = text.replace("’", "'").replace("‘", "'").replace("\u00a0", " ").replace("\u202f", " ")
    kept, at = [], 0
    for (start, end), inside in _boxes(text):
        kept += [text[at:start], f" **{' '.join(inside.split()) or '?'}** "]
        at = end
    text = "".join([*kept, text[at:]])
    for pattern, put in _LATEX:
        text = pattern.sub(put, text)
    return text


def _of_line(line: str, number: int) -> Iterator[Statement]:
    line = line.strip().lstrip(">").strip()
    heading = _HEADING.match(line)
    if heading:
        line = line[heading.end() :].rstrip("# ")
    is_row = line.startswith("|") and line.count("|") > 1
    if is_row:
        line = " | ".join(cell.strip() for cell in line.strip("|").split("|"))
    item = None if heading else _ITEM.match(line)
    if item:
        line = line[item.end() :]
    step = _STEP.match(line)
    if step:
        line = line[step.end() :]
    at = 0
    for end in [*(match.end() for match in _SENTENCE.finditer(line)), len(line)]:
        part = line[at:end]
        at = end
        text = _bare(part)
        if text:
            yield Statement(
                text,
                _spans(_BOLD, part),
                _spans(_MARKED, part),
                number,
                item=bool(item or step),
                heading=heading is not None,
                row=is_row,
            )


def _spans(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    found = (next(filter(None, match.groups())) for match in pattern.finditer(text))
    return tuple(bare for each in found if (bare := _bare(each)))


def _bare(text: str) -> str:
    return " ".join(_MARKS.sub("", text).split())
