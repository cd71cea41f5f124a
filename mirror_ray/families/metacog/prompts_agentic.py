"""Builds the prompts of experiment 9: two-part tasks in three paradigms, at four levels of
information. In C4, a routed part is shown as taken over, and not asked [our decision]."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.metacog.bank.pairs import Parts
from mirror_ray.families.metacog.bank.question import in_words
from mirror_ray.families.metacog.weak_domains import MEDIAN, weak_domains

TEXTS = default_texts("metacog")


@dataclass(frozen=True, slots=True)
class Told:
    """What a model is told about itself.

    Args:
        information: C1, C2, C3 or C4.
        accuracy: domain → share of right answers, for measured domains.
        route: the rule of C3's advice, by which C4 routes.
    """

    information: str
    accuracy: Mapping[str, float]
    route: str

    def advice(self, texts: Texts = TEXTS) -> str:
        """Return the rule in words."""
        how, _, number = self.route.partition("_")
        if how == "below":
            return texts("agentic.advice", limit=f"{float(number):.0%}")
        weak = weak_domains(self.accuracy, self.route)
        middle = median(self.accuracy.values()) if self.accuracy else 0.0
        if how == MEDIAN and any(share < middle for share in self.accuracy.values()):
            limit = texts("agentic.median", middle=f"{middle:.0%}", domains=in_words(weak))
            return texts("agentic.advice", limit=limit)
        return texts("agentic.advice_on_lowest", domains=in_words(weak))


def parts_prompt(
    parts: Parts, paradigm: str, told: Told, routed: tuple[bool, bool], texts: Texts = TEXTS
) -> str:
    """Return the task as presented. In C4, `routed` parts are not left to the model."""
    task = texts(
        f"agentic.{paradigm}",
        scene=parts.scene,
        one=texts("agentic.routed") if routed[0] else parts.one.text,
        two=texts("agentic.routed") if routed[1] else parts.two.text,
    )
    if told.information not in ("C2", "C3"):
        return task
    a, b = parts.one.domain, parts.two.domain
    scores = {domain: f"{share:.0%}" for domain, share in told.accuracy.items()}
    note = texts(
        "agentic.scores",
        a=scores.get(a, "unknown"),
        b=scores.get(b, "unknown"),
        domain_a=a,
        domain_b=b,
    )
    if told.information == "C3":
        note = texts("agentic.told", scores=note, advice=told.advice(texts))
    return texts("agentic.note", note=note, task=task)
