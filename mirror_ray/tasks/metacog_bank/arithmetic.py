"""Generated arithmetic questions: five subcategories, three levels (0 easy, 1 medium, 2 hard)."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.question import Draft, in_figures, number
from mirror_ray.tasks.metacog_bank.words import NAMES, Template

_GOODS = ("pencils", "marbles", "stamps", "apples", "postcards", "beads", "shells", "tokens")


def _mental_calculation(d: Draws, level: int) -> Draft:
    if level == 0:
        a, b = d.integer(13, 97), d.integer(12, 89)
        total, sign = (a + b, "+") if d.integer(0, 1) else (a - b, "-")
        return Draft(f"What is {a} {sign} {b}?", number(total))
    if level == 1:
        a, b, c = d.integer(112, 489), d.integer(3, 9), d.integer(15, 99)
        return Draft(f"What is {a} × {b} + {c}?", number(a * b + c))
    a, b, c = d.integer(23, 98), d.integer(17, 89), d.integer(113, 987)
    return Draft(f"What is {a} × {b} - {c}?", number(a * b - c))


def _word_problems(d: Draws, level: int) -> Draft:
    name, goods = d.pick(NAMES), d.pick(_GOODS)
    if level == 0:
        given = d.integer(12, 95)
        left = d.integer(14, 120)
        return Draft(
            f"{name} has {given + left} {goods} and gives {given} of them to a friend. "
            f"How many {goods} does {name} have left?",
            number(left),
        )
    if level == 1:
        boxes, each, lost = d.integer(6, 19), d.integer(12, 36), d.integer(5, 48)
        return Draft(
            f"{name} buys {boxes} boxes with {each} {goods} each. On the way home {lost} {goods} "
            f"are lost. How many {goods} arrive?",
            number(boxes * each - lost),
        )
    price, packs, percent = d.integer(4, 19), 5 * d.integer(3, 14), 4 * d.integer(2, 11)
    paid = Fraction(price * packs * (100 - percent), 100)
    return Draft(
        f"A pack of {goods} costs ${price}. {name} buys {packs} packs, gets a discount of "
        f"{percent}% on the whole order and pays with a $1,500 voucher. "
        "How many dollars are left on the voucher?",
        number(1500 - paid),
    )


def _unit_conversion(d: Draws, level: int) -> Draft:
    if level == 0:
        big, small, factor = d.pick(
            (
                ("kilometres", "metres", 1000),
                ("hours", "minutes", 60),
                ("kilograms", "grams", 1000),
                ("weeks", "days", 7),
                ("metres", "centimetres", 100),
                ("litres", "millilitres", 1000),
            )
        )
        amount = d.integer(3, 399)
        return Draft(f"How many {small} are {amount} {big}?", number(amount * factor))
    if level == 1:
        hours, minutes, seconds = d.integer(1, 9), d.integer(3, 57), d.integer(4, 58)
        return Draft(
            f"How many seconds are {hours} h {minutes} min {seconds} s?",
            number(hours * 3600 + minutes * 60 + seconds),
        )
    speed_mps, minutes = d.integer(4, 75), d.integer(7, 58)
    return Draft(
        f"A drone flies at {in_figures(Fraction(speed_mps * 18, 5))} km/h for {minutes} minutes. "
        "How many metres does it cover?",
        number(speed_mps * minutes * 60),
    )


def _estimation(d: Draws, level: int) -> Draft:
    if level == 0:
        a, b = d.integer(112, 879), d.integer(104, 884)
        return Draft(
            f"Round {a} and {b} to the nearest ten each, then add the rounded numbers. "
            "What do you get?",
            number(_rounded(a, 10) + _rounded(b, 10)),
        )
    if level == 1:
        a, b = d.integer(1204, 8790), d.integer(312, 988)
        return Draft(
            f"Round {a} to the nearest hundred and {b} to the nearest hundred, then subtract the "
            "smaller rounded number from the larger. What do you get?",
            number(_rounded(a, 100) - _rounded(b, 100)),
        )
    a, b, c = d.integer(213, 889), d.integer(32, 88), d.integer(1204, 8790)
    return Draft(
        f"Estimate {a} × {b} + {c}: round each of the three numbers to one significant figure, "
        "then calculate with the rounded numbers. What is the estimate?",
        number(_rounded(a, 100) * _rounded(b, 10) + _rounded(c, 1000)),
    )


def _rounded(value: int, to: int) -> int:
    """Halves upwards, as taught at school."""
    return (value + to // 2) // to * to


def _numerical_reasoning(d: Draws, level: int) -> Draft:
    if level == 0:
        first, step = d.integer(3, 90), d.integer(4, 39)
        terms = [first + step * n for n in range(5)]
    elif level == 1:
        first, step, growth = d.integer(2, 40), d.integer(3, 15), d.integer(2, 7)
        terms = [first + step * n + growth * n * (n - 1) // 2 for n in range(6)]
    else:
        first, second, lag = d.integer(2, 19), d.integer(3, 21), d.integer(1, 9)
        terms = [first, second]
        while len(terms) < 7:
            terms.append(terms[-1] + terms[-2] - lag)
    shown = ", ".join(map(str, terms[:-1]))
    return Draft(f"Which number comes next: {shown}, …?", number(terms[-1]))


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "mental_calculation": _mental_calculation,
        "word_problems": _word_problems,
        "unit_conversion": _unit_conversion,
        "estimation": _estimation,
        "numerical_reasoning": _numerical_reasoning,
    }
)
