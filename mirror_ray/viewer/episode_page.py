"""Renders the page of an episode as HTML."""

from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.replay.film.evidence import EVIDENCE_MARKS
from mirror_ray.viewer.html import render
from mirror_ray.viewer.links import Links, Source
from mirror_ray.viewer.page import EpisodePage


def episode_html(
    page: EpisodePage, links: Links, source: Source, *, listed: StoredRow, is_file: bool
) -> str:
    """Return an episode's page; a page written as a file contains its policy.

    Args:
        listed: the episode's row of the list, with its verdict.
    """
    counting = [ask.number for ask in page.asks if ask.counts]
    return render(
        "episode.html",
        "episode.js",
        is_file,
        page=page,
        links=links,
        up=links.up,
        before=links.before,
        after=links.after,
        src=source,
        listed=listed,
        outcome_class=page.outcome.partition(":")[0].replace(" ", "-"),
        has_evidence=any(sight.evidence for ask in page.asks for sight in ask.sights),
        marks=[name for name, _ in EVIDENCE_MARKS],
        answered_at=counting[-1] if counting else None,
    )
