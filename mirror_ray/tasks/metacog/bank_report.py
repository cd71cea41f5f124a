"""What a published bank's file holds, printed for a person.

    python -m mirror_ray.tasks.metacog.bank_report questions.jsonl.gz …

Knows files and counts; who plays the rows is the listing's.
"""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from mirror_ray.tasks.metacog.published import Bank, read_bank


def main(paths: Sequence[str]) -> int:
    """Print each file's report; 2 where one is no bank or cannot be read."""
    for path in paths:
        try:
            print(report(read_bank(Path(path), Path(path).stat().st_mtime_ns)))
        except (OSError, ValueError) as problem:
            print(f"{path}: {problem}", file=sys.stderr)
            return 2
    return 0


def report(bank: Bank) -> str:
    """A bank in a few lines: rows by domain, kinds of answer, and what is malformed."""
    groups = Counter(row.group.partition(".")[0] for row in bank.rows)
    lines = [
        f"{bank.name}: {bank.experiment}, {len(bank.rows)} rows that can be played",
        f"  by domain: {_counted(groups)}",
        f"  by kind of answer: {_counted(bank.kinds)}",
    ]
    if bank.malformed:
        lines.append(f"  left out: {_counted(bank.malformed)}")
    return "\n".join(lines)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
