"""Print `bank_report` of the generated bank, with the share that independent solvers confirm.

    python benchmarks/metacog_bank.py

The solvers are those of the tests: they read the printed question and use other methods.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.bank_report import main
from support.solvers_of_metacog import SOLVERS, agrees


def _found(question: Question) -> bool:
    """Return whether the solver of its kind finds the key."""
    solve = SOLVERS[question.domain][question.subcategory]
    return agrees(solve(question.text), question.key)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _found))
