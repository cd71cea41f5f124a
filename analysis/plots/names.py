"""Models' names as figures have room for them.

Knows that a name's last part usually tells models apart; does not know any model.
"""

from collections import Counter
from collections.abc import Iterable, Mapping


def short_names(models: Iterable[str]) -> Mapping[str, str]:
    """Model → its name without the provider; the whole name where two would look the same.

    In the order of the whole names.
    """
    last = {model: model.rsplit("/", 1)[-1] for model in sorted(set(models))}
    shared = {name for name, n in Counter(last.values()).items() if n > 1}
    return {model: model if name in shared else name for model, name in last.items()}
