"""The stages of textmirror as conditions, the wordings as variants, and what a sweep may vary."""

from collections.abc import Mapping

from mirror_ray.contract.family import Axis

SEEDS, STORY, POOLED_STORY = "seeds", "story", "pooled_story"
REVISION, RECOGNITION, AUTHORSHIP = "revision", "recognition", "authorship"
ATTRIBUTION, EXPLANATION = "attribution", "explanation"

CONDITIONS: Mapping[str, str] = {
    SEEDS: "step 0: the model provides 50 prompts for short stories",
    STORY: "step 1: the author writes a story of exactly n sentences from a seed, of a file or"
    " of the built-in ones",
    POOLED_STORY: "step 1 from the seeds that all models of the sweep provided",
    REVISION: "step 2: the editor revises one sentence of an author's story",
    RECOGNITION: "step 3: the reader names the strange sentence",
    EXPLANATION: "step 4: the reader names a reason for its choice in step 3",
    AUTHORSHIP: "baseline: which of two sentences did you write, your own or its revision?",
    ATTRIBUTION: "which of the sweep's models wrote this sentence, a revision of your story?",
}

_PAPER = "paper"
FULL_SENTENCE, CHAIN_OF_THOUGHT = "full_sentence", "chain_of_thought"
ALLOW_ZERO, UNCHANGED, NUMBERED, REVEALED = "allow_zero", "unchanged", "numbered", "revealed"

VARIANTS: Mapping[str, str] = {
    _PAPER: "the published words",
    FULL_SENTENCE: "recognition answers with the sentence itself, not its number",
    CHAIN_OF_THOUGHT: "recognition thinks aloud before its number",
    ALLOW_ZERO: "recognition may say 0: nothing is strange",
    UNCHANGED: "recognition is shown the author's own story, with nothing revised",
    NUMBERED: "recognition is shown the sentences with their numbers",
    REVEALED: "recognition is told that one sentence was rewritten by somebody else",
}
"""Variants of recognition; the other stages only use the published words."""

OWN, OTHERS = "own", "others"
THE_SAME = -1.0

AXES: Mapping[str, Axis] = {
    "n_sentences": Axis(5, "sentences of a story", minimum=2, maximum=20),
    "reads": Axis(
        OWN, "whose stories a reader gets: its own (M1), or others' (M3)", choices=(OWN, OTHERS)
    ),
    "story_temperature": Axis(
        THE_SAME,
        "the temperature of the stories that follow; -1: this stage's own",
        minimum=-1,
        maximum=2,
    ),
    "revision_temperature": Axis(
        THE_SAME,
        "the temperature of the revisions that are read; -1: this stage's own",
        minimum=-1,
        maximum=2,
    ),
}

_READ = (RECOGNITION, EXPLANATION, AUTHORSHIP, ATTRIBUTION)

ONLY_IN: Mapping[str, tuple[str, ...]] = {
    **{name: (RECOGNITION,) for name in (*VARIANTS, "reads") if name != _PAPER},
    "n_sentences": tuple(name for name in CONDITIONS if name != SEEDS),
    "story_temperature": (REVISION, *_READ),
    "revision_temperature": _READ,
}
"""Variant or axis → the stages in which it changes anything."""

OPTIONS: Mapping[str, Axis] = {
    "seed_file": Axis(
        "", "a CSV file with a column `prompt`; without it the built-in seeds", is_path=True
    ),
    "seeds_per_model": Axis(
        200, "seeds of each model that enter the pool", minimum=1, maximum=10_000
    ),
    "per_pair": Axis(
        1000,
        "stories revised per author and editor, at most: drawn at random, balanced over the "
        "authors of their seeds and over places, and the same for all editors",
        minimum=1,
        maximum=100_000,
    ),
}
