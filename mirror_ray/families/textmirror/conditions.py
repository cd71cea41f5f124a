"""The names of textmirror's stages, which are its conditions, and of its variants."""

SEEDS, STORY, POOLED_STORY = "seeds", "story", "pooled_story"
REVISION, RECOGNITION, AUTHORSHIP = "revision", "recognition", "authorship"
ATTRIBUTION, EXPLANATION = "attribution", "explanation"

FULL_SENTENCE, CHAIN_OF_THOUGHT = "full_sentence", "chain_of_thought"
ALLOW_ZERO, UNCHANGED, NUMBERED = "allow_zero", "unchanged", "numbered"
