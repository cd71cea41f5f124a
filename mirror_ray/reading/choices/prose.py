"""Which option the prose of a reply names, where no letter is chosen, marked or bold.

Knows whose eyes a sentence speaks of, and what it denies, supposes or passes over.
"""

from collections.abc import Sequence

from mirror_ray.reading.choices.option_claims import NONE_NAMED, SEVERAL, OptionWords
from mirror_ray.reading.choices.option_phrases import (
    CONCLUDES,
    CONDITIONAL,
    DENIAL,
    IN_TRUTH,
    LONE_LETTER,
    OTHER_EYES,
    OTHER_HAND,
    PASSED_OVER,
    PASSES_OVER,
    POSSIBLE,
    SEEMS,
    SUPPOSES,
    THEREFORE,
    UNSURE,
    WRAPPING,
)
from mirror_ray.reading.choices.sentences import Sentence


def named_in_prose(sentences: Sequence[Sentence], words: OptionWords) -> tuple[str | None, str]:
    """The letter that the words name, with the sentence that does; or None, and why.

    Args:
        words: what the options are called.
    """
    named: list[tuple[str, int, frozenset[str]]] = []
    for index, sentence in enumerate(sentences):
        if sentence.is_listed or sentence.text.endswith("?"):
            continue
        # "On the left of the picture, so her right": what is concluded counts.
        said = PASSED_OVER.sub(" ", THEREFORE.split(sentence.text)[-1])
        if CONDITIONAL.search(sentence.text):
            continue
        said = IN_TRUTH.split(said)[-1]
        # "We see 81, but the monkey sees 18": each side has its own eyes.
        halves = OTHER_HAND.split(said)
        sides = [
            (side, letters, POSSIBLE.search(side) is not None)
            for side in halves
            if len(halves) == 1 or not SEEMS.search(side)
            if not any(each.search(side) for each in (OTHER_EYES, DENIAL, SUPPOSES))
            if (letters := words.mentioned(side))
        ]
        # "The right, though the left is possible": what may be gives way to what is.
        firm = [(side, index, letters) for side, letters, hedged in sides if not hedged]
        named += firm or [(side, index, letters) for side, letters, _ in sides]
    if not named:
        return None, NONE_NAMED
    everything = frozenset[str]().union(*(letters for _, _, letters in named))
    side, index, letters = named[-1]
    text = sentences[index].text
    of_its = {one for _, where, letters in named if where == index for one in letters}
    concludes = index == len(sentences) - 1 and CONCLUDES.search(text if len(of_its) == 1 else side)
    if len(everything) == 1 or (len(letters) == 1 and concludes):
        return next(iter(letters)), text
    return None, SEVERAL


def only_letter(sentences: Sequence[Sentence], letters: str) -> str | None:
    """The one letter of the whole reply, where its last sentence ends with it and affirms it."""
    if not sentences:
        return None
    last = sentences[-1]
    said = last.text.rstrip(WRAPPING + "<>|#")
    found = {one for sentence in sentences for one in LONE_LETTER.findall(sentence.text)}
    if last.text.endswith("?") or last.is_listed or len(found) != 1 or said[-1:] not in found:
        return None
    doubts = (OTHER_EYES, DENIAL, SUPPOSES, CONDITIONAL, PASSES_OVER, POSSIBLE, UNSURE)
    if LONE_LETTER.match(said, len(said) - 1) is None or any(one.search(said) for one in doubts):
        return None
    return said[-1] if said[-1] in letters else None
