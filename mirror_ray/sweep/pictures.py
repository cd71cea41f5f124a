"""Counts the pictures that a sweep requests, and how many of them differ.

Models get equal scenes, and a Simulator draws a view once (`mirror_ray.core.view_key`), so each
distinct picture is drawn at most once per Simulator. The first views of a walk are common to all
models; once their walks differ, each step's picture is unique."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.sweep.estimate import CellEstimate
from mirror_ray.sweep.ranges import ZERO_RANGE, Range, exactly
from mirror_ray.sweep.sampling import NO_SAMPLE, EpisodeKind, Samples, kind_of


@dataclass(frozen=True, slots=True)
class PictureCount:
    """Pictures of all planned episodes: `asked` counts those shown, over all requests, and
    `distinct` the distinct views among them."""

    asked: Range
    distinct: Range

    def drawn_share(self, cache_bytes: int | None) -> float:
        """Return the share of requested pictures that are rendered; 1 without pictures or cache.
        `cache_bytes` is the size of each Simulator's cache; None: the default."""
        if cache_bytes == 0 or not self.asked.expected:
            return 1.0
        return min(1.0, self.distinct.expected / self.asked.expected)


def count_pictures(
    episodes: Sequence[EpisodeSpec], cells: Sequence[CellEstimate], samples: Samples
) -> PictureCount:
    """Return the pictures of a plan: first views are counted, later ones estimated by the samples'
    share.

    Kinds with equal views in the first scene (only prompts differ) share those of all scenes."""
    scenes: dict[EpisodeKind, dict[tuple[int, int], EpisodeSpec]] = {}
    sample_of = {one.cell: samples.by_kind.get(kind_of(one.cell), NO_SAMPLE) for one in cells}
    for spec in episodes:
        if sample_of[spec.cell].first_views:
            scenes.setdefault(kind_of(spec.cell), {}).setdefault((spec.scene_seed, spec.run), spec)
    shown: dict[object, set[str]] = {}
    at_once: dict[object, int] = {}
    for kind, specs in scenes.items():
        views = samples.by_kind[kind].first_views
        group: object = kind if None in views else (kind[0], views)
        names = (FAMILIES[kind[0]].shown_by(spec) for spec in specs.values())
        shown.setdefault(group, set()).update(name for name in names if name is not None)
        at_once[group] = len(views)
    first = sum(len(names) * at_once[group] for group, names in shown.items())
    asked, later = ZERO_RANGE, ZERO_RANGE
    for one in cells:
        sample = sample_of[one.cell]
        each_ask = len(sample.images_px)
        of_cell = one.whole.calls * each_ask
        asked += of_cell
        # An episode begins once, so only its first part counts the beginning.
        firsts = one.episodes * each_ask if one.is_first else 0
        later += of_cell.each(partial(_above, bound=firsts)) * sample.later_new
    return PictureCount(asked, later + exactly(first))


def pictures_in_words(pictures: PictureCount, samples: Samples) -> Iterator[str]:
    """Yield lines about a plan's pictures; none for a sweep without pictures."""
    if pictures.asked.expected:
        yield (
            f"Pictures: {pictures.asked.expected:,.0f} requested, {pictures.distinct.expected:,.0f}"
            " distinct; a Simulator renders each distinct picture once, for all models."
        )
    if samples.drawing_s is not None and samples.image_bytes is not None:
        yield (
            f"A picture has {samples.image_bytes / 1024:.0f} KiB on average, and takes"
            f" {samples.drawing_s * 1000:.1f} ms of one core."
        )
    if samples.trouble is not None:
        yield f"No pictures were rendered, so the time for them is unknown: {samples.trouble}"


def _above(figure: float, bound: float) -> float:
    return max(0.0, figure - bound)
