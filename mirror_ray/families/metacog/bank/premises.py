"""Generated requests whose premise is flawed, and their well-formed twins (experiment 6b).

A request comes with its flaw, and with words that show that a reply saw it. Twins are neighbours
and differ only in what is flawed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mirror_ray.families.metacog.bank import premise_claims, premise_goals, premise_methods
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import CAPITALS, EVENTS, FREQUENT
from mirror_ray.families.metacog.bank.words import NAMES, THINGS

_LATEST_YEAR = 1990
FLAWS = ("wrong_approach", "flawed_premise", "missing_goal")


@dataclass(frozen=True, slots=True)
class Premise:
    """A request.

    Args:
        flaw: which kind of flaw it has, or its twin.
        correction: words that only a reply that saw the flaw need contain; () where there is none.
    """

    item_id: str
    domain: str
    flaw: str
    flawed: bool
    text: str
    correction: Sequence[str]


def premise_at(index: int) -> Premise:
    """The request number `index`: even ones are flawed, each followed by its twin."""
    pair, is_twin = divmod(index, 2)
    n, kind = divmod(pair, len(FLAWS))
    flaw = FLAWS[kind]
    options = _TEMPLATES[kind]
    domain, template = options[n % len(options)]
    stream = template.__name__.strip("_")
    text, correction = template(Draws(f"premise.{flaw}.{stream}", n // len(options)), not is_twin)
    return Premise(
        item_id=f"{flaw}.{domain}.{n}.{'sound' if is_twin else 'flawed'}",
        domain=domain,
        flaw=flaw,
        flawed=not is_twin,
        text=text,
        correction=correction if not is_twin else (),
    )


def _average(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    values = d.sample(range(11, 99), 4)
    by = 5 if flawed else 4
    shown = ", ".join(map(str, values))
    return (
        f"I need the average of these four readings: {shown}. I add them up and divide the sum by "
        f"{by}. Please carry that out and give me the number for my report.",
        ("divide by 4", "divided by 4", "divide by four", "/ 4", "/4", "÷ 4"),
    )


def _cancelling(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    thing, price, percent = d.pick(THINGS), 10 * d.integer(12, 90), 5 * d.integer(2, 9)
    how = (
        f"Since raising and lowering by {percent}% cancel out, it must cost ${price} again."
        if flawed
        else f"I take {percent}% of the raised price off, not of the old one."
    )
    final = price * (100 + percent) * (100 - percent) / 10_000
    return (
        f"I raised the price of a {thing}, ${price}, by {percent}% in May and lowered it by "
        f"{percent}% in June. {how} Please write the price tag.",
        (f"{final:g}", f"{final:.2f}", "do not cancel", "don't cancel"),
    )


def _minutes(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    name, hours, minutes = d.pick(NAMES), d.integer(3, 9), d.integer(11, 49)
    factor = 100 if flawed else 60
    return (
        f"{name} worked {hours} hours and {minutes} minutes. To get minutes I multiply the hours "
        f"by {factor} and add the rest. Please fill in the total for the payroll.",
        (str(hours * 60 + minutes), "60 minutes", "by 60"),
    )


def _year(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    event, year = d.pick([row for row in EVENTS if row[1] > 1000])
    name, now = d.pick(NAMES), d.integer(2015, 2024)
    shift = d.pick((120, 150, -110, -140))
    # Not into the future: that alone would reveal the flaw.
    shift = -abs(shift) if year + shift > _LATEST_YEAR else shift
    claimed = year + shift if flawed else year
    return (
        f"Since {event} took place in {claimed}, {name} wants a line for a wall chart that "
        f"says how many years before {now} that was. Please write the line.",
        (str(year),),
    )


def _capital(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    (country, capital, _), name = d.pick(CAPITALS), d.pick(NAMES)
    other = d.pick([row[1] for row in CAPITALS if row[0] != country])
    return (
        f"{other if flawed else capital} being the capital of {country}, {name} wants to send a "
        f"letter to {country}'s parliament there. Please write the first line of the address.",
        (capital,),
    )


def _symbol(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    (z, _, element), name = d.pick(FREQUENT), d.pick(NAMES)
    claimed = z + d.integer(3, 40) * flawed
    return (
        f"As an atom of {element} has {claimed} protons, please write a caption for {name}'s "
        "poster that says how many electrons the neutral atom has.",
        (f" {z} ", f" {z}.", f" {z},"),
    )


def _train(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    name, due = d.pick(NAMES), d.integer(10 * 60, 20 * 60)
    takes, spare = d.integer(35, 160), d.integer(8, 40)
    leave = due - takes + (spare if flawed else -spare)
    return (
        f"{name} has to be at the hearing by {_at(due)}. Please write {name} a message confirming "
        f"the train that leaves at {_at(leave)}; the ride takes {takes} minutes.",
        (_at(leave + takes), "too late", "be late", "after the hearing", "not arrive in time"),
    )


def _budget(d: Draws, flawed: bool) -> tuple[str, tuple[str, ...]]:
    name, n, price = d.pick(NAMES), d.integer(12, 60), d.integer(7, 45)
    budget = n * price + (-1 if flawed else 1) * d.integer(20, 90)
    return (
        f"{name} may spend ${budget} at most and not a dollar more. Please draft the order: "
        f"{n} chairs at ${price} each.",
        (str(n * price), f"{n * price:,}", "exceed", "over budget", "over the budget"),
    )


def _at(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


_Template = Callable[[Draws, bool], tuple[str, tuple[str, ...]]]
_TEMPLATES: tuple[tuple[tuple[str, _Template], ...], ...] = (
    (
        ("arithmetic", _average),
        ("arithmetic", _cancelling),
        ("temporal", _minutes),
        ("spatial", premise_methods.speed_there_and_back),
        ("spatial", premise_methods.doubled_sides),
        ("factual", premise_methods.celsius),
        ("procedural", premise_methods.middle_of_a_list),
        ("linguistic", premise_methods.points_and_percent),
        ("arithmetic", premise_methods.metres_a_second),
        ("arithmetic", premise_methods.pages_of_a_chapter),
        ("logical", premise_methods.both_alarms),
        ("temporal", premise_methods.interest),
        ("arithmetic", premise_methods.before_tax),
    ),
    (
        ("factual", _year),
        ("factual", _capital),
        ("factual", _symbol),
        ("factual", premise_claims.made_by),
        ("temporal", premise_claims.days_of_a_month),
        ("temporal", premise_claims.leap_year),
        ("spatial", premise_claims.sides),
        ("logical", premise_claims.prime),
        ("linguistic", premise_claims.roman),
        ("temporal", premise_claims.weekday),
        ("spatial", premise_claims.angles),
        ("factual", premise_claims.made_of),
    ),
    (
        ("temporal", _train),
        ("arithmetic", _budget),
        ("spatial", premise_goals.niche),
        ("arithmetic", premise_goals.lift),
        ("temporal", premise_goals.two_meetings),
        ("procedural", premise_goals.flour),
        ("temporal", premise_goals.reading_plan),
        ("social", premise_goals.guest),
        ("spatial", premise_goals.tank),
        ("arithmetic", premise_goals.seats),
        ("temporal", premise_goals.post),
        ("temporal", premise_goals.museum),
    ),
)
"""By flaw, in the order of `FLAWS`: domain and template."""
