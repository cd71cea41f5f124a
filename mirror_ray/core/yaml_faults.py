"""Explains to the author of a text why it is not valid YAML."""

import yaml

from mirror_ray.core.errors import UnfitError


def yaml_fault(  # noqa: PLR0911 - a case each
    error: yaml.YAMLError | UnicodeError, text: str
) -> UnfitError:
    """Return the problem at which a YAML parser stopped. `error` comes from the parser, or from a
    lone surrogate in the text."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        character = " ".join(str(error).split())
        return UnfitError(character, "a text in UTF-8, without control characters", "remove it")
    mark, lines = error.problem_mark, text.splitlines() or [""]
    context, opened = error.context or "", error.context_mark
    number = min(mark.line, len(lines) - 1)
    line = lines[number]
    at = line[mark.column : mark.column + 1]
    tab = line.find("\t")
    if 0 <= tab <= mark.column and not line[:tab].strip(" -"):
        return UnfitError(
            "a tab in the indentation",
            "spaces: YAML does not indent with tabs",
            "replace each tab with two spaces",
            place=(number, tab, 1),
        )
    if (fault := _mark_or_space(lines[: number + 1])) is not None:
        return fault
    if opened is not None and "flow" in context:
        return _open_bracket(lines, number, opened, "]" if "sequence" in context else "}")
    if opened is not None and "quoted" in context:
        if "end of stream" not in (error.problem or "") and "\\" in line:
            return UnfitError(
                "a backslash between double quotation marks",
                "a text in single quotation marks, in which a backslash is itself",
                "write '…' in place of \"…\"",
                place=(number, line.index("\\"), 1),
            )
        return UnfitError(
            "a quotation mark that is not closed",
            "a text between two equal quotation marks",
            "close it on the same line",
            place=(opened.line, opened.column, 1),
        )
    if "mapping values are not allowed" in (error.problem or ""):
        return _colon(lines, number, mark.column)
    if opened is not None and "expected ':'" in (error.problem or ""):
        alone = lines[opened.line].strip().removeprefix("- ")
        key, _, value = alone.replace(":", " ", 1).partition(" ")
        return UnfitError(
            f"a line without a colon and a space: {alone[:60]!r}",
            "YAML: `key: value` lines, lists as [a, b] or with dashes",
            f"{key[:60]}: {value.strip(' =')[:60] or '…'}",
            place=(opened.line, opened.column, len(lines[opened.line]) - opened.column),
        )
    begins = at or " "
    if (word := line[max(0, mark.column - 1) : mark.column]) in ("*", "&"):
        begins = word
    if begins in "@`%*&!":
        return UnfitError(
            f"a text that begins with {begins}",
            "quotation marks around it: the character has a meaning in YAML",
            f'write "{begins}…"',
            place=(number, mark.column, 1),
        )
    if "block" in context or "block" in (error.problem or ""):
        return UnfitError(
            "a line that is not in line with those above it",
            "keys of one map, and dashes of one list, in the same column",
            "indent it like its neighbours",
            place=(number, mark.column, len(line) - mark.column),
        )
    return UnfitError(
        error.problem or "a character that YAML does not allow here",
        "YAML: `key: value` lines, lists as [a, b] or with dashes",
        "put quotation marks around the text, or remove the character",
        place=(number, mark.column, 1),
    )


def _mark_or_space(lines: list[str]) -> UnfitError | None:
    for number, line in enumerate(lines):
        if line.startswith(("<<<<<<< ", ">>>>>>> ")):
            return UnfitError(
                "a mark of a merge conflict",
                "one version of the lines between <<<<<<< and >>>>>>>",
                "choose one version, and remove the marks",
                place=(number, 0, 7),
            )
        indent = line[: len(line) - len(line.lstrip())]
        if indent.strip(" \t"):
            return UnfitError(
                "a no-break or other special space in the indentation",
                "plain spaces, as the space bar types them",
                "replace the indentation with spaces",
                place=(number, 0, len(indent)),
            )
    return None


def _open_bracket(lines: list[str], number: int, opened: yaml.Mark, bracket: str) -> UnfitError:
    if (column := lines[number].find(",,")) >= 0:
        return UnfitError(
            "two commas in a row",
            "one comma between two entries",
            "remove one of them",
            place=(number, column, 2),
        )
    for earlier, line in enumerate(lines[: opened.line + 1]):
        before, hash_mark, comment = line.partition(" #")
        for opening, closing in ("[]", "{}"):
            if hash_mark and before.count(opening) > before.count(closing) and closing in comment:
                return UnfitError(
                    "a bracket that is closed after #, which begins a comment",
                    f"{closing} before the comment",
                    f"move {closing} before the #",
                    place=(earlier, len(before) + 1, 1),
                )
    return UnfitError(
        f"a bracket that is not closed before line {number + 1}",
        f"a list as [a, b], a map as {{a: 1, b: 2}}: {bracket} at the end",
        f"close it with {bracket}",
        place=(opened.line, opened.column, 1),
    )


def _colon(lines: list[str], number: int, column: int) -> UnfitError:
    key, _, value = lines[number].strip().removeprefix("- ").partition(": ")
    if ": " in value:
        return UnfitError(
            "a second colon in one line",
            "one `key: value` in a line; a text with a colon goes between quotation marks",
            f'{key}: "{value.strip()}"',
            place=(number, column, 1),
        )
    above = lines[number - 1].strip() if number else ""
    return UnfitError(
        f"a key that is indented below the value {above[:60]!r}",
        "keys of one map in the same column",
        "indent it like the key above it",
        place=(number, column, 1),
    )
