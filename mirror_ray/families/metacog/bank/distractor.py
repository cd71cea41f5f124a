"""A plausible wrong answer to a question, which feedback, pressure and agents can claim."""

from functools import lru_cache

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.reading.quantity import clock_times, quantities


@lru_cache(maxsize=1_024)
def wrong_answer(key: Key) -> str:
    """Return an answer that is wrong by every mode of matching, always the same for a key."""
    if key.options:
        place = [option.casefold() for option in key.options].index(key.answer.casefold())
        return key.options[(place + 1) % len(key.options)]
    if key.kind == "number" and (found := quantities(key.answer)):
        value = found[-1].value
        return keys.in_figures(value + 2 + abs(value) // 7)
    if key.kind == "time" and (times := clock_times(key.answer)):
        minutes = (times[-1] + 70) % 1440
        return f"{minutes // 60:02d}:{minutes % 60:02d}"
    if key.kind == "sequence":
        parts = [part.strip() for part in key.answer.split(",")]
        turned = parts[1:] + parts[:1]
        return ", ".join(turned) if turned != parts else f"{key.answer}, 0"
    return "none of these"
