"""Earlier rows of the text mirror test, by hand."""

from mirror_ray.contract.listing import Shape
from mirror_ray.core.identity import Cell
from mirror_ray.families.textmirror.family import FAMILY

MODELS = ("a", "b")


SHAPE = Shape(
    seeds=range(6),
    runs=1,
    models=MODELS,
    options={name: axis.default for name, axis in FAMILY.options.items()},
    where="sweep.yaml: stages.0",
)


def cell(condition: str, model: str = "a", axes=(), variant: str = "paper") -> Cell:
    return Cell("textmirror", condition, (("subject", model),), 0.7, variant, axes)


class Rows:
    """Earlier rows by hand, and models that have not ended."""

    def __init__(self, rows, unfinished=()) -> None:
        self._rows, self._unfinished = rows, unfinished
        self.parameters = {}

    def rows(self, sql, **parameters):
        self.parameters = parameters
        return self._rows

    def unfinished(self, model):
        return int(model in self._unfinished)


def story(author: str, seed: int):
    sentences = [f"{author} tells {seed} {place}." for place in range(5)]
    return {
        "episode_id": f"{author}{seed}",
        "author": author,
        "scene_seed": seed,
        "run": 0,
        "seed_text": "",
        "seed_origin": "",
        "sentences": sentences,
    }


def revision(author: str, editor: str, seed: int = 0):
    return {
        **story(author, seed),
        "episode_id": f"{author}{seed}{editor}",
        "parent_id": f"{author}{seed}",
        "editor": editor,
        "position": 2,
        "original_sentence": f"{author} tells {seed} 1.",
        "revised_sentence": f"{editor} changes it.",
    }
