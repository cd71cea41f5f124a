"""The language in which a family speaks to a model, as an axis of its cells."""

from mirror_ray.contract.family import Axis

LANGUAGE = Axis(
    "en",
    "the language of the prompt: keys and actions stay those of the protocol",
    choices=("en", "de", "es", "zh", "ja"),
)
