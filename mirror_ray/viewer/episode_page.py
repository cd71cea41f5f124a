"""The page of an episode, from what it says to HTML."""

from mirror_ray.engine.film.evidence import MARKS
from mirror_ray.viewer.html import render
from mirror_ray.viewer.links import Links, Source
from mirror_ray.viewer.page import EpisodePage


def episode_html(
    page: EpisodePage, links: Links, source: Source, *, failure: str | None, is_file: bool
) -> str:
    """An episode's page; with its policy in itself where it will be a file."""
    return render(
        "episode.html",
        "episode.js",
        is_file,
        page=page,
        up=links.up,
        before=links.before,
        after=links.after,
        src=source,
        failure=failure,
        outcome_class=page.outcome.partition(":")[0].replace(" ", "-"),
        has_evidence=any(sight.evidence for ask in page.asks for sight in ask.sights),
        marks=[name for name, _ in MARKS],
    )
