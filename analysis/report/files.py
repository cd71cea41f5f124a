"""The report's files: one page, and every table and figure of it, below ``DIR/report``.

Knows names and formats; does not know what a section holds. A run directory in an object store
gets its report there, too.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from analysis.report.contents import contents, heading
from analysis.report.drawing import png_of, svg_of
from analysis.report.latex import latex_table
from analysis.report.page import page
from analysis.report.reading import Reading
from analysis.report.section import Figure, Section, Table
from analysis.warehouse import open_run
from mirror_ray.records.storage import join, make_folder, storage_of, write_whole

FOLDER = "report"
PAGE = "index.html"

Write = Callable[[pa.NativeFile], None]


def write_report(directory: str) -> tuple[str, ...]:
    """Write the whole report of a run, in place of an earlier one.

    Returns:
        The files' paths or addresses, the page first.

    Raises:
        NotADirectoryError: there is no such run directory.
        OSError: a file cannot be written.
    """
    with open_run(directory) as connection:
        run = Reading(connection)
        sections = contents(run)
        title, lead, tiles = heading(run)
    drawings = {
        part.name: svg_of(part)
        for section in sections
        for part in section.parts
        if isinstance(part, Figure)
    }
    text = page(title, lead, tiles, sections, drawings)
    fs, root = storage_of(directory)
    written = []
    for folder, name, write in [
        ("", PAGE, _text(text)),
        *_figure_files(sections, drawings),
        *_table_files(sections),
    ]:
        place = make_folder(fs, root, FOLDER, *filter(None, [folder]))
        write_whole(fs, f"{place}/{name}", write)
        written.append(join(directory, FOLDER, *filter(None, [folder]), name))
    return tuple(written)


def _figure_files(
    sections: Sequence[Section], drawings: Mapping[str, str]
) -> Iterator[tuple[str, str, Write]]:
    for section in sections:
        for part in section.parts:
            if isinstance(part, Figure):
                yield "figures", f"{part.name}.svg", _text(drawings[part.name])
                yield "figures", f"{part.name}.png", _bytes(png_of(part))


def _table_files(sections: Sequence[Section]) -> Iterator[tuple[str, str, Write]]:
    for section in sections:
        for part in section.parts:
            if isinstance(part, Table):
                yield "tables", f"{part.name}.csv", partial(_write_csv, part.data)
                yield "tables", f"{part.name}.parquet", partial(pq.write_table, part.data)
                yield "tables", f"{part.name}.tex", _text(latex_table(part))


def _text(text: str) -> Write:
    return _bytes(text.encode())


def _bytes(content: bytes) -> Write:
    def write(stream: pa.NativeFile) -> None:
        stream.write(content)

    return write


def _write_csv(table: pa.Table, stream: pa.NativeFile) -> None:
    """Lists and structs as JSON: CSV has none."""
    for position, field in enumerate(table.schema):
        if pa.types.is_nested(field.type):
            texts = [None if v is None else json.dumps(v) for v in table[position].to_pylist()]
            table = table.set_column(position, field.name, pa.array(texts, pa.string()))
    pacsv.write_csv(table, stream)
