"""A section of the report whose texts, queries, tables and figures are stated in a YAML file.

The file is next to the section's module and has its name. It gives the section's `name`, `title`
and `text`, and its `parts` by name. A part has a `title`, a `text` and a query: `sql`, or `pivot`
with the arguments of `pivot_sql`. A table also has `columns` and, where its rows have headings, a
`group`: a known one, a column or a template (see `chart_file`). A column is a kind with its
arguments, or with one word that is both key and heading. With `if_any`, it is shown only if a row
has that value. The kind `metrics` is several columns of a pivot: those that it lists, or `all` of
the section's `family`. A row is shown if it has any of the values that `tells` lists; `silence`
says what the other rows have in common. A figure has a `chart` (see `chart_file`), or the section's
module draws it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import pyarrow as pa

from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    condition_text,
    episode,
    estimate_column,
    kind_of_column,
    metric_text,
    moment,
    number_column,
    number_text,
    p_value,
    setting_text,
    share_column,
    share_of,
    share_text,
    three_digits_text,
    usd_column,
    words,
)
from mirror_ray.analysis.report.chart_file import drawn_chart, row_text
from mirror_ray.analysis.report.pivots import pivot_sql, pivoted
from mirror_ray.analysis.report.replies import drawn_rows, replies_of
from mirror_ray.analysis.report.section import (
    Column,
    Figure,
    Part,
    ReportTable,
    Section,
    TableCell,
    with_rows,
)
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.shipped_files import shipped_yaml

_COLUMNS: Mapping[str, Callable[..., Column]] = {
    "words": words,
    "number": number_column,
    "share": share_column,
    "share_of": share_of,
    "constant": kind_of_column(share_text),
    "usd": usd_column,
    "moment": moment,
    "p_value": p_value,
    "estimate": estimate_column,
    "pivoted": pivoted,
    "ratio": lambda key, heading: estimate_column(heading, key=key, show=three_digits_text),
}
_GROUPS: Mapping[str, Callable[[Row], str]] = {"condition": condition_text, "setting": setting_text}


@dataclass(frozen=True, slots=True)
class SectionFile:
    """The section of a run that a YAML file describes.

    Args:
        said: the file's data.
        slots: what fills the slots of its texts and queries.
        columns: the section's own kinds of columns, and lists of columns, by name.
        groups: its own headings above rows, by name.
    """

    run: Reading
    said: Mapping[str, Any]
    slots: Mapping[str, str]
    columns: Mapping[str, Any]
    groups: Mapping[str, Callable[[Row], str]]

    def sql(self, part: str) -> str:
        """Return a part's query."""
        said = self.said["parts"][part]
        return self._filled(said["sql"] if "sql" in said else pivot_sql(**said["pivot"]))

    def texts(self, part: str) -> tuple[str, str]:
        """Return the title and the text of a part."""
        said = self.said["parts"][part]
        return self._filled(said["title"]), self._filled(said["text"])

    def rows(self, part: str) -> list[Row]:
        """Return the rows of a part's query."""
        return self.run.rows(self.sql(part))

    def figure(
        self, part: str, draw: Callable[[list[Row]], Chart | None] | None = None
    ) -> Figure | None:
        """Draw a figure from its rows, by `draw` or else its `chart`. Return None if there is no
        row, or if nothing is drawn."""
        rows, unread = self.rows(part), ""
        family = self.said.get("family") or self.slots.get("family", "")
        if rows and family in METRICS:
            rows, unread = drawn_rows(rows, replies_of(self.run, family))
        if not rows:
            return None
        chart, also = (
            (draw(rows), "") if draw else drawn_chart(self.said["parts"][part]["chart"], rows)
        )
        return None if chart is None else self.drawn(part, chart, also=f"{also}{unread}")

    def drawn(self, part: str, chart: Chart, *, also: str = "") -> Figure:
        """Return a figure with its texts and its query. `also` is appended to its text."""
        title, text = self.texts(part)
        said = self._replies(part)
        return Figure(self._filled(part), title, text + also, self.sql(part), chart, replies=said)

    def table(self, part: str, data: pa.Table | None = None) -> ReportTable:
        """Return a table of `data`, or by default of the result of its query."""
        said, sql = self.said["parts"][part], self.sql(part)
        data = self.run.table(sql) if data is None else data
        tells: Sequence[str] = said.get("tells", ())
        return ReportTable(
            self._filled(part),
            *self.texts(part),
            sql,
            data,
            tuple(one for entry in said["columns"] for one in self._columns(entry, data)),
            group=self._group(said["group"]) if "group" in said else None,
            source=said.get("source", ""),
            tells=(lambda row: any(row[name] for name in tells)) if tells else None,
            silence=said.get("silence", ""),
            replies=self._replies(part),
        )

    def tables(self) -> Iterator[ReportTable]:
        """Return all tables in the order of the file."""
        return (self.table(part) for part, said in self.said["parts"].items() if "columns" in said)

    def parts(self, **own: Part | None) -> Iterator[Part | None]:
        """Return every part in the order of the file. `own` are the parts that the section's module
        builds, by name."""
        for part, said in self.said["parts"].items():
            if part in own:
                yield own[part]
            elif "chart" in said:
                yield self.figure(part)
            else:
                yield self.table(part)

    def section(self, *parts: Part | None) -> Section | None:
        """Return the section with the parts that have anything to show; None without any."""
        shown = with_rows(*parts)
        said = self.said
        text = self._filled(said["text"])
        return Section(said["name"], said["title"], text, shown) if shown else None

    def _replies(self, part: str) -> str:
        family = self.slots.get("family", "")
        is_told = family in METRICS and "{family}" in part
        return replies_of(self.run, family).sentence if is_told else ""

    def _filled(self, text: str) -> str:
        return text.format(**self.slots) if self.slots else text

    def _group(self, name: str) -> Callable[[Row], str]:
        groups = {**_GROUPS, **self.groups}
        if name in groups:
            return groups[name]
        return lambda row: row_text(name, row) if "{" in name else str(row[name])

    def _columns(self, entry: str | Mapping[str, Any], data: pa.Table) -> Iterator[Column]:
        if isinstance(entry, str):
            yield from self.columns[entry]
            return
        ((kind, said),) = ((kind, said) for kind, said in entry.items() if kind != "if_any")
        if "if_any" in entry and not any(data.column(entry["if_any"]).to_pylist()):
            return
        if kind == "metrics":
            yield from _metrics(self.said["family"], said)
            return
        make = {**_COLUMNS, "episode": partial(episode, self.run), **self.columns}[kind]
        if isinstance(said, dict):
            yield make(**{name: self._filled(value) for name, value in said.items()})
        else:
            yield make(*map(self._filled, [said, said] if isinstance(said, str) else said))


def _metrics(family: str, names: Sequence[str] | Literal["all"]) -> Iterator[Column]:
    known = {metric.name: metric for metric in METRICS[family].metrics}
    for metric in known.values() if names == "all" else map(known.__getitem__, names):
        show = number_text if metric.kind == "count" else share_text
        yield pivoted(metric.name, metric.heading, show=show)


def section_file(
    module: str,
    run: Reading,
    *,
    columns: Mapping[str, Any] | None = None,
    groups: Mapping[str, Callable[[Row], str]] | None = None,
    leading: str = "",
    **slots: str,
) -> SectionFile:
    """Read the file of a section's module.

    Args:
        module: its full name.
        leading: a family. Its name fills the slot ``family``, its leading metric ``metric``, and
            that metric's heading ``name``.
    """
    if leading:
        metric = METRICS[leading].leading
        slots |= {"family": leading, "metric": metric, "name": metric_text(leading, metric)}
    package, _, name = module.rpartition(".")
    said = shipped_yaml(package, f"{name}.yaml")
    return SectionFile(run, said, slots, columns or {}, groups or {})


def measured_families(run: Reading) -> tuple[str, ...]:
    """Return the run's families that are installed here and therefore have metrics."""
    return tuple(family for family in run.families() if family in METRICS)


def family_file(
    module: str,
    run: Reading,
    *,
    columns: Mapping[str, Any] | None = None,
    groups: Mapping[str, Callable[[Row], str]] | None = None,
    **slots: str,
) -> SectionFile | None:
    """Read the file of a section of one family; return None without episodes of this `family`.

    The slots `where` and `setting` describe the setting that its figures show."""
    file = section_file(module, run, columns=columns, groups=groups, **slots)
    setting = main_setting(run, file.said["family"])
    if setting is None:
        return None
    return replace(file, slots={"where": setting.where, "setting": setting.text, **slots})


def section_of(
    module: str,
    *,
    columns: Mapping[str, Any] | None = None,
    groups: Mapping[str, Callable[[Row], str]] | None = None,
    figures: Mapping[str, Callable[[list[Row]], Chart | None]] | None = None,
    **slots: str,
) -> Callable[[Reading], Section | None]:
    """Return the function for a family's section with every part of its file.

    Args:
        module: the section's module, or the module name that its file would have.
        columns, groups, slots: as for `section_file`.
        figures: what draws the figures that have no `chart`, by the name of the part.
    """

    def section(run: Reading) -> Section | None:
        file = family_file(module, run, columns=columns, groups=groups, **slots)
        if file is None:
            return None
        own = {part: file.figure(part, draw) for part, draw in (figures or {}).items()}
        return file.section(*file.parts(**own))

    return section


def text_column(show: Callable[[Row], str]) -> Callable[[str, str], Column]:
    """Return a kind of column whose text the function makes from a row."""
    return lambda _key, heading: Column(heading, lambda row: TableCell(show(row)), is_number=False)
