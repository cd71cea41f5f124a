"""The report's files: one page, and every table and figure of it, by default below ``DIR/report``.

The report of a run in an object store is also written there, unless `out` says otherwise."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from pyarrow import fs as pafs

from mirror_ray.analysis.comparison_tables import hold_comparisons
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.checkable import check_tiles, marks
from mirror_ray.analysis.report.contents import about_all, contents, report_heading
from mirror_ray.analysis.report.drawing import Drawing, draw_figure
from mirror_ray.analysis.report.latex import latex_table
from mirror_ray.analysis.report.markdown import markdown_table
from mirror_ray.analysis.report.naming import figure_names, renamed_table
from mirror_ray.analysis.report.page import ReportFrame, page
from mirror_ray.analysis.report.paper import paper_sections
from mirror_ray.analysis.report.section import Figure, ReportTable, Section
from mirror_ray.analysis.report.section_file import measured_families
from mirror_ray.analysis.report.shown import TableText, table_text
from mirror_ray.analysis.soundness import require_sound_rows
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from mirror_ray.records.storage import (
    is_address,
    join,
    make_folder,
    names_in,
    read_stored_text,
    storage_of,
    write_whole,
)

_OURS = re.compile(
    r'<a href="(tables/[\w-]{1,200}\.(?:csv|parquet|tex|md)'
    r'|figures/[\w-]{1,200}\.(?:svg|png|pdf))">'
)
"""A link as the page's template writes it; in all other texts angle brackets are escaped."""
_FOLDER = "report"
PAGE = "index.html"
EPISODES_FILE = "episodes"
_LIST = "index"
"""The list next to the episodes' pages. Its script filters it by the address's fragment."""

_Write = Callable[[pa.NativeFile], None]


def remove_earlier(fs: pafs.FileSystem, root: str, page: str, kept: Collection[str]) -> None:
    """Remove the files of a report's folder that the report's page links.

    Args:
        root: the folder. page: the name of the page in it, which may be missing.
        kept: paths below the folder that are about to be replaced and therefore remain.

    Raises:
        OSError: a file cannot be removed.
    """
    try:
        text = read_stored_text(fs, f"{root}/{page}")
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return
    for name in sorted(set(_OURS.findall(text)) - set(kept)):
        path = f"{root}/{name}"
        if fs.get_file_info(path).type == pafs.FileType.File:
            fs.delete_file(path)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a reader chose for a report.

    Args:
        variables: parameters of the views; the page names them.
        where: a SQL condition over episodes; None: all.
        names: a model's or condition's name → the one that is shown.
        audits: rows of people's marks, for `report.across.audited`.
        frames: what models were shown, for the top of the page.
        paper: a family: the page has only the tables of its paper; None: the whole report.
        links_all: link every example to a page below `EPISODES_FILE`, which the caller then writes.
    """

    variables: Mapping[str, object] = field(default_factory=dict)
    where: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    links_all: bool = False
    audits: Sequence[Mapping[str, Any]] = ()
    frames: Sequence[ReportFrame] = ()
    paper: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A report as it was written.

    Args:
        files: their paths or addresses, the page first.
        linked: the episodes that the page links.
        compared: pairs of cells' ids; the page links a list of their episodes, which the caller
            writes.
    """

    files: tuple[str, ...]
    linked: tuple[str, ...]
    compared: tuple[tuple[str, str], ...] = ()


def write_report(
    directory: str | Sequence[str],
    out: str | None = None,
    *,
    choices: Choices | None = None,
    manifest: Mapping[str, Any] | None = None,
    planned: int | None = None,
) -> WrittenReport:
    """Write the whole report of a run, replacing an earlier one.

    Args:
        directory: the run directory's path or address, or those of several, read as one.
        out: the folder's path or address; None: the first run directory's folder ``report``, or
            ``report/paper_<family>`` for a paper's tables.
        manifest: the run's; None: the page says that it is unknown.
        planned: how many episodes are planned; None: unknown.

    Raises:
        NotADirectoryError: the run directory does not exist.
        OSError: a file cannot be written.
        ValueError, duckdb.Error: `where` is not a condition.
    """
    chosen = choices or Choices()
    folders = [_FOLDER] if chosen.paper is None else [_FOLDER, f"paper_{chosen.paper}"]
    place = out or join(directory if isinstance(directory, str) else directory[0], *folders)
    fs, root = storage_of(place)
    pages = _AllPages() if chosen.links_all else _Pages(_episode_pages(fs, root))
    with open_run(
        directory, hold=True, variables=chosen.variables, where=chosen.where
    ) as connection:
        compared = _Compared(chosen.links_all or _LIST in pages)
        run = Reading(connection, pages, manifest, chosen.variables, compared.page)
        require_sound_rows(run, directory)
        run = replace(run, held=_held_comparisons(run))
        if chosen.paper is None:
            sections = contents(run, chosen.audits)
        else:
            sections = (*paper_sections(run, chosen.paper), *about_all(run))
        title, lead, tiles = report_heading(run, planned if chosen.where is None else None)
        directories = [directory] if isinstance(directory, str) else directory
        tiles += check_tiles(run, directories, manifest) if tiles else ()
    parts = [part for section in sections for part in section.parts]
    tables = {
        part.name: renamed_table(table_text(part), chosen.names)
        for part in parts
        if isinstance(part, ReportTable)
    }
    labels = figure_names(chosen.names)
    drawings = {part.name: draw_figure(part, labels) for part in parts if isinstance(part, Figure)}
    svg = {name: drawn.svg for name, drawn in drawings.items()}
    text = page(
        title,
        f"{lead}{_said(chosen)}",
        tiles,
        sections,
        drawings=svg,
        tables=tables,
        frames=chosen.frames,
        marks=marks(manifest),
    )
    if not is_address(place):
        fs.create_dir(root, recursive=True)
    files = [("", PAGE, _text(text)), *_figure_files(drawings), *_table_files(sections, tables)]
    # The page is written first, so that the earlier page, which names the earlier files, is
    # replaced.
    remove_earlier(fs, root, PAGE, {f"{folder}/{name}" for folder, name, _ in files})
    written = []
    for folder, name, write in files:
        below = make_folder(fs, root, *filter(None, [folder]))
        write_whole(fs, f"{below}/{name}", write)
        written.append(join(place, *filter(None, [folder]), name))
    linked = tuple(pages) if chosen.links_all else ()
    return WrittenReport(tuple(written), linked, tuple(compared.cells))


def _held_comparisons(run: Reading) -> Mapping[str, str]:
    leading = {name: METRICS[name].leading for name in measured_families(run)}
    return hold_comparisons(run.connection, leading) if leading else {}


class _Pages(dict[str, str]):
    """Returns an episode's page, and remembers which pages the report links."""


class _Compared:
    """The comparisons whose episodes the page links. `has_list` says whether the episodes' pages
    have, or will have, a list next to them."""

    def __init__(self, has_list: bool) -> None:
        self._has_list = has_list
        self.cells: dict[tuple[str, str], None] = {}

    def page(self, cell: str, other: str) -> str | None:
        """Return the list, narrowed to the scenes in which the two cells differ."""
        if not self._has_list:
            return None
        self.cells[cell, other] = None
        return f"{EPISODES_FILE}/{_LIST}.html#differ={cell}.{other}"


class _AllPages(_Pages):
    """Acts as if every episode had a page, and remembers the requested ones."""

    def get(self, key: str, default: Any = None) -> Any:
        """Return the page that is to be written."""
        return self.setdefault(key, f"{EPISODES_FILE}/{key}.html")


def _said(chosen: Choices) -> str:
    said = [f"{name} = {value}" for name, value in chosen.variables.items()]
    where = [f"only episodes where {' '.join(chosen.where.split())}"] if chosen.where else []
    return "".join(f" · {text}" for text in (*(f"read with {one}" for one in said), *where))


def _episode_pages(fs: pafs.FileSystem, root: str) -> Mapping[str, str]:
    names = names_in(fs, f"{root}/{EPISODES_FILE}")
    return {
        name.removesuffix(".html"): f"{EPISODES_FILE}/{name}"
        for name in names
        if name.endswith(".html")
    }


def _figure_files(drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, str, _Write]]:
    for name, drawn in drawings.items():
        yield "figures", f"{name}.svg", _text(drawn.svg)
        yield "figures", f"{name}.png", _bytes(drawn.png)
        yield "figures", f"{name}.pdf", _bytes(drawn.pdf)


def _table_files(
    sections: Sequence[Section], tables: Mapping[str, TableText]
) -> Iterator[tuple[str, str, _Write]]:
    for section in sections:
        for part in section.parts:
            if isinstance(part, ReportTable):
                seen = tables[part.name]
                for kind in seen.kinds:
                    yield "tables", f"{part.name}.{kind}", _file_of(part, seen, kind)


def _file_of(table: ReportTable, seen: TableText, kind: str) -> _Write:
    match kind:
        case "csv":
            return partial(_write_csv, table.data)
        case "parquet":
            return partial(pq.write_table, table.data)
        case "tex":
            return _text(latex_table(table, seen))
        case _:
            return _text(markdown_table(table, seen))


def _text(text: str) -> _Write:
    return _bytes(text.encode())


def _bytes(content: bytes) -> _Write:
    def write(stream: pa.NativeFile) -> None:
        stream.write(content)

    return write


def _write_csv(table: pa.Table, stream: pa.NativeFile) -> None:
    for position, column in enumerate(table.schema):
        if pa.types.is_nested(column.type):
            texts = [None if v is None else json.dumps(v) for v in table[position].to_pylist()]
            table = table.set_column(position, column.name, pa.array(texts, pa.string()))
    pacsv.write_csv(table, stream)
