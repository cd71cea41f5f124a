"""Print one generated metacog item of each kind, as Markdown.

    python benchmarks/metacog_samples.py

Run it after changing a template, and read its output: no test can tell whether a question makes
sense.
"""

from mirror_ray.families.metacog.bank.premises import premise_at
from mirror_ray.families.metacog.bank.question import DIFFICULTIES, Question
from mirror_ray.families.metacog.bank.transfer import DISGUISES, transfer_at
from mirror_ray.families.metacog.levels.bank import OF_DIFFICULTY, SUBCATEGORIES, level_question
from mirror_ray.families.metacog.levels.composed import joined_at, trial_at
from mirror_ray.families.metacog.levels.scenarios import parts_at

_WHICH = 7


def main() -> None:
    """Print the samples."""
    print(samples())


def samples() -> str:
    """Return one item of each kind, in Markdown."""
    lines = []
    for place, (domain, subcategories) in enumerate(SUBCATEGORIES.items()):
        lines.append(f"\n**{domain}**\n")
        for turn, subcategory in enumerate(subcategories):
            difficulty = DIFFICULTIES[(place + turn) % len(DIFFICULTIES)]
            level = OF_DIFFICULTY[difficulty]
            lines.append(_in_line(level_question("exp1", domain, subcategory, level, _WHICH)))
    lines.append("\n**transfer** (exp2): the surface, and what it hides\n")
    for index, disguise in enumerate(DISGUISES.values()):
        task = transfer_at(index + 8 * _WHICH)
        lines.append(f"{_in_line(task)}  \n  hides {task.domain} behind {disguise.surface_domain}")
    lines.append("\n**composition** (exp3)\n")
    lines.append(_in_line(joined_at(_WHICH)))
    trial = trial_at(_WHICH)
    lines.append(f"\n**feedback** (exp4), {trial.burn.domain} burnt\n")
    lines.append(f"- baseline: {_flat(trial.baseline.text)} → `{trial.baseline.key.answer}`")
    lines.append(f"- burn: {_flat(trial.burn.text)} → `{trial.burn.key.answer}`")
    lines.append(f"- true feedback: {trial.true_feedback}")
    lines.append(f"- false feedback: {trial.false_feedback}")
    lines.append(f"- related: {_flat(trial.related.text)} → `{trial.related.key.answer}`")
    lines.append(f"- unrelated: {_flat(trial.unrelated.text)} → `{trial.unrelated.key.answer}`")
    lines.append("\n**premises** (exp6b): flawed requests, each followed by its sound twin\n")
    for index in (0, 1, 2, 3, 4, 5):
        premise = premise_at(index)
        lines.append(f"- {premise.flaw}: {premise.text}")
    parts = parts_at(_WHICH)
    lines.append("\n**two parts** (exp9)\n")
    lines.append(f"- {parts.scene}\n{_in_line(parts.one)}\n{_in_line(parts.two)}")
    return "\n".join(lines)


def _in_line(question: Question) -> str:
    where = f"{question.subcategory}, {question.difficulty}"
    return f"- {where}: {_flat(question.text)} → `{question.key.answer}`"


def _flat(text: str) -> str:
    return " / ".join(text.split("\n"))


if __name__ == "__main__":
    main()
