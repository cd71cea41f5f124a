"""Sheets as CSV, written for spreadsheets and read back strictly, with line numbers.

A sheet that comes back from a person's program is treated as hostile: bounded, and only ids and
marks are taken from it. Cells that look like a formula begin with an apostrophe."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from mirror_ray.audit.readings import MARKS
from mirror_ray.audit.sheet import MOST_ITEMS, Sheet, ShownItem
from mirror_ray.core.bounded_files import MOST_DATA_BYTES, read_bounded, text_of
from mirror_ray.core.errors import UnfitError
from mirror_ray.core.untrusted import one_printable_line

SHEET_COLUMNS = ("id", "question", "task", "key", "reply", "mark", "note")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_MOST_ROWS = 2 * MOST_ITEMS


def as_csv(items: Iterable[ShownItem]) -> str:
    """Return a sheet to be filled in; its last two columns are empty."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(SHEET_COLUMNS)
    for one in items:
        texts = (one.id, one.question, one.task, one.key, one.reply)
        writer.writerow([*map(harmless, texts), "", ""])
    return file.getvalue()


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet interprets as a formula."""
    return (
        f"'{cell}"
        if cell.lstrip(" \n").startswith(_FORMULA) or cell.startswith(("\t", "\r"))
        else cell
    )


def read_marks(path: str | Path, sheet: Sheet) -> dict[str, str]:
    """Return the mark of each marked row, by id. Raise UnfitError, naming the line, if it is not a
    CSV, has other columns, an unknown or repeated id, or an invalid mark."""
    text = text_of(read_bounded(path, MOST_DATA_BYTES))
    known = {one.id for one in sheet.items}
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    found: dict[str, str] = {}
    line_of: dict[str, int] = {}
    places: Mapping[str, int] | None = None
    try:
        for number, row in enumerate(reader):
            if number > _MOST_ROWS:
                raise _unfit(reader.line_num, "one row more", f"at most {_MOST_ROWS:,} rows")
            if places is None:
                places = _places(row)
            elif any(cell.strip() for cell in row):
                name, mark = _row(row, places, reader.line_num)
                if name not in known:
                    raise _unfit(reader.line_num, f"id {name!r}", "an id of this sheet")
                if name in line_of:
                    got = f"id {name} again, as on line {line_of[name]}"
                    raise _unfit(reader.line_num, got, "each id once")
                line_of[name] = reader.line_num
                if mark:
                    found[name] = mark
    except csv.Error as error:
        raise _unfit(reader.line_num, str(error), "CSV with quoted cells") from error
    if places is None:
        raise _unfit(1, "no row", f"the columns {', '.join(SHEET_COLUMNS)}")
    return found


def _row(row: list[str], places: Mapping[str, int], line: int) -> tuple[str, str]:
    if len(row) <= max(places.values()):
        raise _unfit(line, f"{len(row)} cells", f"{max(places.values()) + 1} cells or more")
    name, mark = row[places["id"]].strip(), row[places["mark"]].strip().casefold()
    mark = next((each for each in MARKS if mark and each.startswith(mark)), mark)
    if mark and mark not in MARKS:
        raise _unfit(line, f"mark {row[places['mark']]!r}", f"{', '.join(MARKS)}, or nothing")
    return name, mark


def _places(header: list[str]) -> dict[str, int]:
    names = [name.strip().casefold() for name in header]
    for wanted in ("id", "mark"):
        if names.count(wanted) != 1:
            said = ", ".join(header)
            raise _unfit(1, f"columns {said}", f"one column {wanted!r}, as in the sheet")
    return {wanted: names.index(wanted) for wanted in ("id", "mark")}


def _delimiter(text: str) -> str:
    header = text.lstrip("\n\r").partition("\n")[0]
    return max(",;\t", key=header.count)


def _unfit(line: int, got: str, allowed: str) -> UnfitError:
    said = f"line {line}: {one_printable_line(got, 200)}"
    return UnfitError(said, allowed, "correct that line, or take the sheet as it was drawn")
