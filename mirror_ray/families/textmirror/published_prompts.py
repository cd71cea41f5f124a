"""The text mirror's prompts as its authors published them (MIT).

All but step 4's are printed in the paper, whose source is in the repository. [Our decision] The
slot `{n}` counts sentences, where the source writes 1-5, and step 4's reasons are `{reasons}`."""

import re
from pathlib import Path

from mirror_ray.contract.published_texts import PythonFile, python_file, text_file
from mirror_ray.core.errors import UnfitError
from mirror_ray.families.textmirror.explanation import REASONS

SOURCE = "github.com/shengyu-zhu/mirror_test_llm"
_PAPER = "neurips_2025.tex"
_EXPLANATION = "code/core/step4_explanation.py"
_NAMES = {
    "stages.revision": "REVISE_SENTENCE_PROMPT",
    "stages.recognition": "STRANGE_PART_PROMPT",
    "variants.full_sentence": "FULL_SENTENCE_PROMPT",
    "variants.chain_of_thought": "COT_PROMPT",
    "variants.allow_zero": "NULL_CHOICE_OPTION_PROMPT",
    "variants.numbered": "NUMBERED_SENTENCES_PROMPT",
    "variants.revealed": "DIRECT_ATTRIBUTION_PROMPT",
}
_PRINTED = re.compile(r'^([A-Z_]{3,60}) = "([^"]{1,2000})"$', re.MULTILINE)
_FIRST, _SECOND = "[Sentence A]", "[Sentence B]"
_BASELINE = re.compile(
    r"^Which [^\n]{1,200}\n1\) \[Sentence A\]\n2\) \[Sentence B\]$", re.MULTILINE
)


def published(checkout: Path) -> dict[str, str]:
    """Return the texts by key. Raise UnfitError if the checkout has other files."""
    paper = text_file(checkout, _PAPER)
    printed = dict(_PRINTED.findall(paper))
    baseline = _BASELINE.search(paper)
    lacking = [name for name in _NAMES.values() if name not in printed]
    if lacking or not baseline:
        got = f"no {', '.join(lacking) or 'baseline'}"
        raise UnfitError(f"{_PAPER}: {got}", "the published source", "use the authors' repository")
    texts = {
        key: printed[name].replace("1-5", "1-{n}").replace("{text}", "{story}")
        for key, name in _NAMES.items()
    }
    asked, *sentences = texts["variants.numbered"].split("\n")
    first = sentences[0] if sentences else ""
    return {
        **texts,
        "variants.numbered": f"{asked}\n{{story}}",
        "variants.sentence": first.replace("1: {sentence_1}", "{number}: {sentence}"),
        "variants.authorship": baseline[0].replace(_FIRST, "{first}").replace(_SECOND, "{second}"),
        "variants.explanation": _explanation(python_file(checkout, _EXPLANATION)),
    }


def _explanation(file: PythonFile) -> str:
    slots = {"text1": "{story}", "text2": "{answer}"}
    text = file.template("process_model_pair", "I previously asked", slots)
    return text.replace("; ".join(REASONS), "{reasons}")
