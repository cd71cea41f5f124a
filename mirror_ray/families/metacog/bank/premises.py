"""Generated requests whose premise is flawed, and their well-formed twins (experiment 6b).

Twins are neighbours and differ only in the flaw. The words of each request are in premises.yaml;
the numbers and names in it are drawn here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mirror_ray.families.metacog.bank import premise_claims, premise_goals, premise_methods
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import question_texts

_T = question_texts(__name__)
_Values = Callable[[Draws, bool], dict[str, Any]]
_VALUES: Mapping[str, Sequence[_Values]] = {
    "wrong_approach": premise_methods.VALUES,
    "flawed_premise": premise_claims.VALUES,
    "missing_goal": premise_goals.VALUES,
}
FLAWS = tuple(_VALUES)


@dataclass(frozen=True, slots=True)
class Premise:
    """A request with or without a flaw. `flaw` is the kind of flaw that it or its twin has.
    `correction` has words that only a reply that noticed the flaw needs to contain, () without a
    flaw."""

    item_id: str
    domain: str
    flaw: str
    flawed: bool
    text: str
    correction: Sequence[str]


def premise_at(index: int) -> Premise:
    """Return request number `index`: even ones are flawed, each followed by its twin."""
    pair, is_twin = divmod(index, 2)
    n, kind = divmod(pair, len(FLAWS))
    flaw, flawed = FLAWS[kind], not is_twin
    turn, place = divmod(n, len(_VALUES[flaw]))
    draw = _VALUES[flaw][place]
    name = draw.__name__.removeprefix("_")
    request = _T[flaw][name]
    values = draw(Draws(f"premise.{flaw}.{name}", turn), flawed)
    if "how" in request:
        values["how"] = request["how"][flawed].format_map(values)
    correction = tuple(each.format_map(values) for each in request["correction"])
    return Premise(
        item_id=f"{flaw}.{request['domain']}.{n}.{'flawed' if flawed else 'sound'}",
        domain=request["domain"],
        flaw=flaw,
        flawed=flawed,
        text=request["text"].format_map(values),
        correction=correction if flawed else (),
    )
