"""A reply without the thinking that some models and servers leave in its text.

One pass, whatever a model wrote.
"""

from mirror_ray.providers.thinking_tags import TAG, closes


def without_thinking(text: str) -> str:
    """The text outside of thinking tags, with nothing else changed.

    A whole block is removed. A chat template may swallow the opening tag: what precedes a lone
    closing tag is thinking. A reply may end before it closes its tag: what follows a lone opening
    tag is thinking, and only what stood before it is kept.
    """
    kept: list[str] = []
    position, inside = 0, False
    for tag in TAG.finditer(text):
        if closes(tag):
            if not inside:
                kept.clear()
            position, inside = tag.end(), False
        elif not inside:
            kept.append(text[position : tag.start()])
            inside = True
    if not inside:
        kept.append(text[position:])
    return "".join(kept)
