"""The report's sections: each family's own, and those that several families share.

A family's module `sections` states `SECTIONS`: functions ``(run: Reading) -> Section | None``, None
where the run has no data for it."""

from collections.abc import Iterator

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.replies import replies_of, with_replies
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import measured_families, section_file
from mirror_ray.contract.packages import module_of
from mirror_ray.core.identity import variant_words
from mirror_ray.core.plugins import as_plugin, installed


def read_sections(run: Reading) -> tuple[Section, ...]:
    """Return every section for which the run has data. Raise PluginError if a plug-in fails."""
    own = (
        with_replies(one, replies_of(run, name))
        for name in measured_families(run)
        for one in _of_family(name, run)
        if one is not None
    )
    shared = (people_section(run), _sureness(run))
    return tuple(section for section in (*own, *shared) if section is not None)


def people_section(run: Reading) -> Section | None:
    """Return people and models on the scenes that people have played, with each person, their vote
    and agreement. Return None if nobody has played.

    The shards are queried first, because the people's views read the scores of every episode."""
    is_played = any(
        run.rows(f"select 1 from shard.{one}_episodes where starts_with(model, 'human/') limit 1")  # noqa: S608 - a family's name
        for one in run.families()
    )
    return _shared(run, "people") if is_played else None


def _sureness(run: Reading) -> Section | None:
    """Return how sure a model is of what it sees, by its bets, deferred questions and forecasts."""
    if not run.has("episode.stakes", "bet") or not run.rows("select 1 from episode.stakes limit 1"):
        return None
    return _shared(run, "sureness")


def _shared(run: Reading, name: str) -> Section | None:
    file = section_file(f"{__name__}.{name}", run, groups={"place": _place})
    return file.section(*file.tables())


def _place(row: Row) -> str:
    at = "" if row["temperature"] is None else f", temperature {row['temperature']:g}"
    setting = variant_words(row["variant"]) if "variant" in row else row["setting"]
    return f"{row['family']} {row['condition']}{at}, {setting}"


def _of_family(name: str, run: Reading) -> Iterator[Section | None]:
    module = module_of(name, "sections")
    if module is None:
        return
    plugin = installed("families").get(name)
    for section in module.SECTIONS:
        if plugin is None:
            yield section(run)
        else:
            with as_plugin(plugin.words, plugin.package):
                made = section(run)
            yield made
