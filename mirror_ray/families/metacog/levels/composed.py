"""Items of several questions: two-domain tasks (exp3), burn-and-test trials (exp4)."""

from collections.abc import Mapping

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.feedback_trials import CONTROLS, FeedbackTrial, feedback_trial
from mirror_ray.families.metacog.bank.pairs import PAIRS, joined
from mirror_ray.families.metacog.bank.question import DIFFICULTIES, DOMAINS, Question
from mirror_ray.families.metacog.levels.bank import (
    LEVEL_CAPACITY,
    OF_DIFFICULTY,
    PER_DOMAIN,
    RANGE,
    SUBCATEGORIES,
    level_question,
    question_in,
)

MOST_JOINED = len(PAIRS) * (RANGE // (2 * (len(DOMAINS) - 1)))
MOST_TRIALS = len(DOMAINS) * (RANGE // 2)


def joined_at(index: int, levels: Mapping[str, int] | None = None) -> Question:
    """Return two-domain question number `index`; 28 neighbours have all pairs and difficulties.
    `levels`, by domain, replace that of the difficulty whose turn it is."""
    n, pair = divmod(index, len(PAIRS))
    domains = PAIRS[pair]
    difficulty = DIFFICULTIES[(n + pair) % len(DIFFICULTIES)]
    levels = levels or dict.fromkeys(DOMAINS, OF_DIFFICULTY[difficulty])
    at = "-".join(str(levels[domain]) for domain in domains)
    d = Draws(f"joined.{'.'.join(domains)}.{at}", n, LEVEL_CAPACITY)
    a, b = domains if d.integer(0, 1) else domains[::-1]
    # A pair's place among those with this domain keeps the pairs' questions apart.
    first = _some(d, a, b, levels[a], 2 * n)
    others = (_some(d, b, a, levels[b], 2 * n), _some(d, b, a, levels[b], 2 * n + 1))
    return joined(d, f"exp3.{'.'.join(domains)}.{at}.{n}", domains, first, others)


def _some(d: Draws, domain: str, other: str, level: int, turn: int) -> Question:
    """Return a question of some subcategory that no other pair, and no other number, gets."""
    subcategories = SUBCATEGORIES[domain]
    subcategory = subcategories[d.integer(0, PER_DOMAIN - 1)]
    place = (DOMAINS.index(other) - DOMAINS.index(domain)) % len(DOMAINS) - 1
    slot = turn * (len(DOMAINS) - 1) + place
    return level_question("exp3", domain, subcategory, level, slot)


def trial_at(index: int) -> FeedbackTrial:
    """Return burn-and-test trial number `index`; 8 neighbours burn the 8 domains."""
    n, place = divmod(index, len(DOMAINS))
    domain, control = DOMAINS[place], CONTROLS[DOMAINS[place]]
    easy, medium, hard = (OF_DIFFICULTY[name] for name in DIFFICULTIES)
    # Unrelated tasks come from the far end, because a domain may be the control of two others.
    far = RANGE * PER_DOMAIN - 1 - 2 * n - (domain > _first_burnt(control))
    return feedback_trial(
        f"exp4.{domain}.{n}",
        baseline=question_in("exp4", domain, easy, n),
        burn=question_in("exp4", domain, hard, n),
        related=question_in("exp4", domain, medium, n),
        unrelated=question_in("exp4", control, medium, far),
    )


def _first_burnt(control: str) -> str:
    return min(domain for domain, other in CONTROLS.items() if other == control)
