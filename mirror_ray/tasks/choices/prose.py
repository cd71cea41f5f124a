"""Which option the prose of a reply names, where no letter is chosen, marked or bold.

Knows whose eyes a sentence speaks of, and what it denies, supposes or passes over.
"""

from collections.abc import Sequence

from mirror_ray.tasks.choices.claims import NONE_NAMED, SEVERAL, OptionWords
from mirror_ray.tasks.choices.phrases import (
    CONCLUDES,
    CONDITIONAL,
    DENIAL,
    IN_TRUTH,
    OTHER_EYES,
    OTHER_HAND,
    PASSED_OVER,
    POSSIBLE,
    SUPPOSES,
    THEREFORE,
)
from mirror_ray.tasks.choices.sentences import Sentence


def named_in_prose(sentences: Sequence[Sentence], words: OptionWords) -> tuple[str | None, str]:
    """The letter that the words name, with the sentence that does; or None, and why.

    Args:
        words: what the options are called.
    """
    named: list[tuple[int, frozenset[str]]] = []
    for index, sentence in enumerate(sentences):
        if sentence.is_listed or sentence.text.endswith("?"):
            continue
        # "On the left of the picture, so her right": what is concluded counts.
        said = PASSED_OVER.sub(" ", THEREFORE.split(sentence.text)[-1])
        if CONDITIONAL.search(sentence.text):
            continue
        said = IN_TRUTH.split(said)[-1]
        # "We see 81, but the monkey sees 18": each side has its own eyes.
        sides = [
            (letters, POSSIBLE.search(side) is not None)
            for side in OTHER_HAND.split(said)
            if not any(each.search(side) for each in (OTHER_EYES, DENIAL, SUPPOSES))
            if (letters := words.mentioned(side))
        ]
        # "The right, though the left is possible": what may be gives way to what is.
        firm = [letters for letters, hedged in sides if not hedged]
        named += [(index, letters) for letters in firm or [one for one, _ in sides]]
    if not named:
        return None, NONE_NAMED
    everything = frozenset[str]().union(*(letters for _, letters in named))
    index, letters = named[-1]
    text = sentences[index].text
    concludes = index == len(sentences) - 1 and CONCLUDES.search(text)
    if len(everything) == 1 or (len(letters) == 1 and concludes):
        return next(iter(letters)), text
    return None, SEVERAL
