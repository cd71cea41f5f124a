"""Generated transfer tasks: an everyday surface that hides the domain it needs (experiment 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.facts import EVENTS
from mirror_ray.families.metacog.bank.question import (
    DIFFICULTIES,
    DOMAINS,
    Draft,
    Question,
    clock,
    letter,
    listed,
    number,
    text,
    yes_no,
)
from mirror_ray.families.metacog.bank.words import JOBS, NAMES, THINGS, Template


@dataclass(frozen=True, slots=True)
class Disguise:
    """The surface of a task, and the skill it needs."""

    surface_domain: str
    hidden_dependency: str


DISGUISES: Mapping[str, Disguise] = MappingProxyType(
    {
        "arithmetic": Disguise("business_evaluation", "financial_calculations"),
        "spatial": Disguise("trip_planning", "distance_estimation"),
        "temporal": Disguise("meeting_scheduling", "timezone_arithmetic"),
        "linguistic": Disguise("document_proofreading", "grammar_parsing"),
        "logical": Disguise("argument_analysis", "inference_validity"),
        "social": Disguise("email_composition", "pragmatic_implicature"),
        "factual": Disguise("fact_checking", "cross_referencing_claims"),
        "procedural": Disguise("troubleshooting", "multi_step_diagnosis"),
    }
)
"""Source domain → its disguise, after the published tasks."""


def transfer_at(index: int, level: int | None = None) -> Question:
    """The transfer task number `index`; 8 neighbours have all source domains."""
    n, place = divmod(index, len(DOMAINS))
    level = n % len(DIFFICULTIES) if level is None else level
    domain = DOMAINS[place]
    draft = _TEMPLATES[domain](Draws(f"transfer.{domain}.{level}", n), level)
    return Question(
        item_id=f"transfer.{domain}.{DIFFICULTIES[level]}.{n}",
        domain=domain,
        subcategory=DISGUISES[domain].hidden_dependency,
        difficulty=DIFFICULTIES[level],
        text=draft.text,
        key=draft.key,
    )


def _business_evaluation(d: Draws, level: int) -> Draft:
    name, seats = d.pick(NAMES), 5 * d.integer(8, 60)
    price, wage = d.integer(12, 60), d.integer(400, 1900)
    share = d.integer(1, 4) * 20
    income = Fraction(seats * price * share, 100)
    offer = (
        f"{name} thinks of renting a hall with {seats} seats for one evening. Tickets would sell "
        f"at ${price}, and about {share}% of the seats usually fill. "
    )
    if level == 0:
        return Draft(f"{offer}How much would come in, in dollars?", number(income))
    rent = 10 * d.integer(40, 190)
    offer += f"The hall costs ${rent} and the band ${wage}. "
    if level == 1:
        return Draft(
            f"{offer}How much would be left in the end, in dollars? A loss is negative.",
            number(income - rent - wage),
        )
    tax = d.integer(1, 4) * 5
    return Draft(
        f"{offer}Of the income {tax}% go to the city before anything else is paid. "
        "What would be left in the end, in dollars? A loss is negative.",
        number(income * (100 - tax) / 100 - rent - wage),
    )


def _trip_planning(d: Draws, level: int) -> Draft:
    name = d.pick(NAMES)
    if level == 0:
        out, back = d.integer(24, 90), d.integer(2, 19)
        return Draft(
            f"{name} plans a bicycle tour along one straight road: {out} km out to a lake, lunch "
            f"there, then {back} km back towards home to an inn. "
            "How many kilometres from home is the inn?",
            number(out - back),
        )
    (a, b, c), scale = d.pick(((3, 4, 5), (5, 12, 13), (8, 15, 17))), d.integer(2, 12)
    east, north, direct = a * scale, b * scale, c * scale
    if level == 1:
        village = d.pick(("Oberau", "Lindow", "Marsk", "Tarn", "Velden", "Ostra"))
        return Draft(
            f"{name} plans a walk: the village of {village} lies {east} km east and {north} km "
            "north of the station. A new footpath leads there in a straight line. "
            "How many kilometres shorter is it than going east and then north?",
            number(east + north - direct),
        )
    speed = d.pick((5, 10, 20))
    return Draft(
        f"{name} plans a boat trip: {east} km east to an island, {north} km north to a lighthouse "
        f"and then straight back to the start, at {speed} km/h all the way. "
        "How many hours does the round take?",
        number(Fraction(east + north + direct, speed)),
    )


def _meeting_scheduling(d: Draws, level: int) -> Draft:
    one, two = d.sample(NAMES, 2)
    hour, ahead = d.integer(8, 12), d.pick([hours for hours in range(-9, 10) if hours])
    apart = f"{abs(ahead)} hours {'ahead of' if ahead > 0 else 'behind'}"
    call = f"{one} can talk from {hour}:00 on, own local time. {two}'s clocks are {apart} {one}'s. "
    if level == 0:
        return Draft(
            f"{call}If the call begins at once, what do {two}'s clocks show, 24-hour clock?",
            clock(60 * (hour + ahead)),
        )
    begin, length = 60 * hour + 15 * d.integer(1, 7), 15 * d.integer(2, 8)
    moved = (
        f"{call}The call is put off to {begin // 60}:{begin % 60:02d} and lasts {length} minutes. "
    )
    if level == 1:
        return Draft(
            f"{moved}What do {two}'s clocks show when it ends, 24-hour clock?",
            clock(begin + length + 60 * ahead),
        )
    start = date(2024, 1, 1) + timedelta(days=d.integer(0, 600))
    every = d.integer(9, 16)
    times = d.integer(3, 8)
    last = start + timedelta(days=every * (times - 1))
    return Draft(
        f"{one} and {two} talk every {every} days, for the first time on {start.day} {start:%B} "
        f"{start.year}, which is a {start:%A}. On which day of the week is their call number "
        f"{times}?",
        text(f"{last:%A}", tuple(f"{start + timedelta(days=i):%A}" for i in range(7))),
    )


def _document_proofreading(d: Draws, level: int) -> Draft:
    name, thing = d.pick(NAMES), d.pick(THINGS)
    one, two = d.sample(JOBS, 2)
    wrong, right = (
        (f"The {one} and the {two} was asked about the {thing}.",
         (f"The {one} has asked the {two} about the {thing}.",
          f"The {one}s were asked about the {thing}.",
          f"Each {two} was asked about the {thing}.")),
        (f"The {thing}, together with the tools of the {one}s, were sold.",
         (f"The {thing} and the tools of the {one} were sold.",
          f"One of the tools of the {one}s was sold.",
          f"Neither the {one} nor the {two}s were present.")),
        (f"Having opened the box, the {thing} was found by the {one}.",
         (f"Having opened the box, the {one} found the {thing}.",
          f"When the {two} opened the box, the {thing} was found.",
          f"Opened by the {two}, the box held a {thing}.")),
    )[level]  # fmt: skip
    options = d.shuffled((wrong, *right))
    return Draft(
        f"{name} is about to print a notice that contains these four sentences. Which one must be "
        f"corrected first? Answer with a letter.\n{listed(options)}",
        letter(options.index(wrong), options),
    )


def _argument_analysis(d: Draws, level: int) -> Draft:
    name, critic = d.sample(NAMES, 2)
    group, trait = d.pick(JOBS), d.pick(("vote", "own a car", "drink tea", "speak Dutch", "ski"))
    claim, holds = d.pick(
        (
            (
                (f"All {group}s here {trait}. {critic} is a {group} here. So {critic} does, too",
                 True),
                (f"All {group}s here {trait}. {critic} does, too. So {critic} is a {group} here",
                 False),
            ),
            (
                (f"Only {group}s here {trait}. {critic} does. So {critic} is a {group}", True),
                (f"Only {group}s here {trait}. {critic} is a {group}. So {critic} does", False),
            ),
            (
                (f"Unless {critic} goes first, no {group} here would {trait}. {critic} does not. "
                 "So none would", True),
                (f"Unless {critic} goes first, no {group} here would {trait}. {critic} does. "
                 "So all would", False),
            ),
        )[level]
    )  # fmt: skip
    day = d.pick(("Monday's", "Tuesday's", "today's", "the weekend's", "the latest"))
    return Draft(
        f"In {day} letter to the editor, {name} argues: “{claim}.” Should the editor accept that "
        "the last sentence follows from the ones before it?",
        yes_no(holds=holds),
    )


def _email_composition(d: Draws, level: int) -> Draft:
    writer, reader = d.sample(NAMES, 2)
    wish, hint, others = d.pick(
        (
            ("move the meeting", "“Thursday is the day my daughter graduates.”",
             ("congratulate the daughter only", "send the minutes", "cancel the contract")),
            ("pay the invoice", "“We closed our books for May, with one line still open.”",
             ("order more goods", "open a bank account", "read the books")),
            ("give back the tools", "“I would have mended my fence today, had I had my drill.”",
             ("mend the fence", "buy a fence", "praise the fence")),
            ("hire a helper", "“I was here until ten again; the other desk is still empty.”",
             ("empty the desk", "go home at ten", "buy another desk")),
        )
    )  # fmt: skip
    options = d.shuffled((wish, *others))
    frame = (
        f"{reader} receives this line from {writer}: {hint} What should the answer promise?",
        f"{reader} answers a mail in which {writer} only says: {hint} Which promise settles it?",
        f"{writer} wrote to {reader}: {hint} The answer was friendly and missed the point. "
        "What did it fail to promise?",
    )[level]
    return Draft(
        f"{frame} Answer with a letter.\n{listed(options)}", letter(options.index(wish), options)
    )


def _fact_checking(d: Draws, level: int) -> Draft:
    (one, year_one), (two, year_two) = d.sample(EVENTS, 2)
    name = d.pick(NAMES)
    apart = abs(year_one - year_two)
    if level == 0:
        return Draft(
            f"{name}'s draft says: “When {two} took place, {one} already lay in the past.” "
            "Is that right? Both in the same year counts as not right.",
            yes_no(holds=year_one < year_two),
        )
    shift = d.pick((0, 0, 100, -100, 30, -30)) if level == 1 else d.pick((0, 0, 10, -10, 3, -3))
    claimed = apart + shift if apart + shift > 0 else apart + 40
    return Draft(
        f"{name}'s draft says: “Between {one} and {two} lie {claimed} years.” Counting by calendar "
        "years alone, is that right? The draft may be off by one year and still count as right.",
        yes_no(holds=abs(claimed - apart) <= 1),
    )


def _troubleshooting(d: Draws, level: int) -> Draft:
    name = d.pick(NAMES)
    n = 4 + 2 * level
    chain = d.sample(("battery", "switch", "fuse", "relay", "pump", "valve", "sensor", "filter",
                      "heater", "fan"), n)  # fmt: skip
    broken = d.integer(1, n - 2)
    good = d.integer(0, broken - 1) if level else broken - 1
    dead = d.integer(broken, n - 2) + 1 if level == 2 else broken + 1
    told = f"{name}'s machine passes a signal along: {' → '.join(chain)}. "
    told += (
        f"Behind the {chain[good]} the signal is still good, at the {chain[dead]} none arrives. "
    )
    checked = [part for part in chain[good + 1 : dead] if part != chain[broken]]
    if checked:
        told += f"Bridging these one at a time changes nothing: {', '.join(d.shuffled(checked))}. "
    return Draft(
        f"{told}Only one part is broken, and it is none behind where the signal is missing. "
        "Which part should be replaced?",
        text(chain[broken], chain),
    )


_TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "arithmetic": _business_evaluation,
        "spatial": _trip_planning,
        "temporal": _meeting_scheduling,
        "linguistic": _document_proofreading,
        "logical": _argument_analysis,
        "social": _email_composition,
        "factual": _fact_checking,
        "procedural": _troubleshooting,
    }
)
