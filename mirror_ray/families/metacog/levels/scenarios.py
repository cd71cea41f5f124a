"""Tasks of two parts about one scenario (experiment 9).

A scenario has a place, people and things. Each domain adds facts about these same people and
things, and a question about them. A task's scene has the facts of both parts, so that neither part
can be answered without it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.pairs import PAIRS, Parts
from mirror_ray.families.metacog.bank.question import DIFFICULTIES, DOMAINS, Question, in_words
from mirror_ray.families.metacog.bank.words import NAMES, THINGS, question_texts
from mirror_ray.families.metacog.levels.bank import LEVEL_CAPACITY, OF_DIFFICULTY, difficulty_of
from mirror_ray.families.metacog.levels.scenario_facets import (
    Cast,
    ScenarioFacet,
    factual,
    linguistic,
    logical,
    procedural,
    social,
    temporal,
)
from mirror_ray.families.metacog.levels.scenario_figures import arithmetic, spatial

_T = question_texts(__name__)
_ADDING = arithmetic, spatial, temporal, linguistic, logical, social, factual, procedural
_FACETS: Mapping[str, Callable[[Draws, int, Cast], ScenarioFacet]] = dict(
    zip(DOMAINS, _ADDING, strict=True)
)
"""For each domain, the function that adds its facts and its question."""

TASKS_OF_A_SET = LEVEL_CAPACITY // 2
MOST_FIXED = len(PAIRS) * TASKS_OF_A_SET


def parts_at(index: int, levels: Mapping[str, int] | None = None) -> Parts:
    """Return two-part task number `index`, equal for every model; 28 neighbours have all pairs.
    `levels`, by domain, replace a difficulty drawn for each part."""
    n, pair = divmod(index, len(PAIRS))
    return _parts("fixed", PAIRS[pair], n, levels)


def tailored_parts_at(
    index: int,
    strong: tuple[str, ...],
    weak: tuple[str, ...],
    levels: Mapping[str, int] | None = None,
) -> Parts:
    """Return task number `index` of one strong and one weak domain; all pairs take turns."""
    n, pair = divmod(index, len(strong) * len(weak))
    a, b = strong[pair % len(strong)], weak[pair // len(strong)]
    return _parts("tailored", (a, b), n, levels)


def _parts(
    task_set: str, domains: tuple[str, str], n: int, levels: Mapping[str, int] | None
) -> Parts:
    # Both sets draw from one order of all scenarios; fixed tasks use its first half.
    first, second = sorted(domains, key=DOMAINS.index)
    d = Draws(
        f"scenario.{first}.{second}",
        n % TASKS_OF_A_SET + TASKS_OF_A_SET * (task_set == "tailored"),
        LEVEL_CAPACITY,
    )
    place, spot = d.pick(_T["places"])
    cast = Cast(tuple(d.sample(NAMES, 4)), tuple(d.sample(THINGS, 4)), spot)
    # The parts' difficulties are independent: a task may be easy where the model is weak.
    drawn = {domain: OF_DIFFICULTY[d.pick(DIFFICULTIES)] for domain in domains}
    at = {domain: (levels or drawn)[domain] for domain in domains}
    facets = [_FACETS[domain](d, at[domain], cast) for domain in domains]
    facts = {"one": facets[0].facts, "two": facets[1].facts, "things": _listed(cast.things)}
    scene = _T.say("scene", place=place, people=in_words(cast.people), spot=spot, **facts)
    item_id = f"{task_set}.{domains[0]}.{domains[1]}.{'-'.join(str(at[x]) for x in domains)}.{n}"
    one, two = (
        Question(
            f"{item_id}.{domain}",
            domain,
            facet.subcategory,
            difficulty_of(at[domain]),
            facet.ask,
            facet.key,
            at[domain],
        )
        for domain, facet in zip(domains, facets, strict=True)
    )
    return Parts(item_id, scene, one, two)


def _listed(things: tuple[str, ...]) -> str:
    *most, last = (f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}" for thing in things)
    return f"{', '.join(most)} and {last}"


def whole(parts: Parts) -> tuple[Question, Question]:
    """Return both parts with the scene before the question, as a reader gets them."""
    one, two = (replace(part, text=f"{parts.scene} {part.text}") for part in (parts.one, parts.two))
    return one, two
