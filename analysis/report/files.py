"""The report's files: one page, and every table and figure of it, by default below ``DIR/report``.

Knows names and formats; does not know what a section holds. A run directory in an object store
gets its report there, too, unless it is wanted elsewhere.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from pyarrow import fs as pafs

from analysis.reading import Reading
from analysis.report.contents import contents, heading
from analysis.report.drawing import Drawing, draw
from analysis.report.latex import latex_table
from analysis.report.page import page
from analysis.report.section import Figure, Section, Table
from analysis.warehouse import open_run
from mirror_ray.records.storage import (
    is_address,
    join,
    make_folder,
    names_in,
    storage_of,
    write_whole,
)

FOLDER = "report"
PAGE = "index.html"
EPISODES = "episodes"

Write = Callable[[pa.NativeFile], None]


def write_report(
    directory: str, out: str | None = None, *, variables: Mapping[str, object] | None = None
) -> tuple[str, ...]:
    """Write the whole report of a run, in place of an earlier one.

    Args:
        directory: the run directory's path or address.
        out: the folder's path or address; None: the run directory's folder ``report``.
        variables: parameters of the views; the page names them.

    Returns:
        The files' paths or addresses, the page first.

    Raises:
        NotADirectoryError: there is no such run directory.
        OSError: a file cannot be written.
    """
    place = out or join(directory, FOLDER)
    fs, root = storage_of(place)
    with open_run(directory, hold=True, variables=variables) as connection:
        run = Reading(connection, _episode_pages(fs, root))
        sections = contents(run)
        title, lead, tiles = heading(run)
    if variables:
        chosen = ", ".join(f"{name} = {value}" for name, value in variables.items())
        lead = f"{lead} · read with {chosen}"
    drawings = {
        part.name: draw(part)
        for section in sections
        for part in section.parts
        if isinstance(part, Figure)
    }
    text = page(title, lead, tiles, sections, {name: drawn.svg for name, drawn in drawings.items()})
    if not is_address(place):
        fs.create_dir(root, recursive=True)
    written = []
    for folder, name, write in [
        ("", PAGE, _text(text)),
        *_figure_files(drawings),
        *_table_files(sections),
    ]:
        below = make_folder(fs, root, *filter(None, [folder]))
        write_whole(fs, f"{below}/{name}", write)
        written.append(join(place, *filter(None, [folder]), name))
    return tuple(written)


def _episode_pages(fs: pafs.FileSystem, root: str) -> Mapping[str, str]:
    """The pages that `mirror-ray view DIR --static DIR/report/episodes` has written."""
    names = names_in(fs, f"{root}/{EPISODES}")
    return {
        name.removesuffix(".html"): f"{EPISODES}/{name}" for name in names if name.endswith(".html")
    }


def _figure_files(
    drawings: Mapping[str, Drawing],
) -> Iterator[tuple[str, str, Write]]:
    for name, drawn in drawings.items():
        yield "figures", f"{name}.svg", _text(drawn.svg)
        yield "figures", f"{name}.png", _bytes(drawn.png)


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
