"""Prompts are read out of a stand-in checkout of the authors' repositories, which never runs."""

from pathlib import Path

import pytest

from mirror_ray.cli import main
from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.core.errors import UnfitError
from mirror_ray.families.metacog.published_prompts import published as of_mirror
from mirror_ray.families.textmirror.conditions import NUMBERED
from mirror_ray.families.textmirror.explanation import REASONS
from mirror_ray.families.textmirror.prompts import recognition_prompt
from mirror_ray.families.textmirror.published_prompts import published as of_text_mirror
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.prompt_sets import checked_texts

PAPER = r"""
\begin{lstlisting}
REVISE_SENTENCE_PROMPT = "Change the {ordinal}: {text}"
STRANGE_PART_PROMPT = "Which is odd, 1-5: {text}"
FULL_SENTENCE_PROMPT = "Only the odd sentence: {text}"
COT_PROMPT = "Step by step, 1-5: {text}"
NULL_CHOICE_OPTION_PROMPT = "1-5, or 0: {text}"
NUMBERED_SENTENCES_PROMPT = "Of these, 1-5:~
Sentence 1: {sentence_1}~
Sentence 2: {sentence_2}"
DIRECT_ATTRIBUTION_PROMPT = "Which is not yours? 1-5: {text}"
\end{lstlisting}
Which one is yours? 1 or 2:
1) [Sentence A]
2) [Sentence B]
""".replace("~", " ")
EXPLANATION = """\
raise SystemExit("a checkout never runs")
async def process_model_pair(m1, m2):
    df["step4_input"] = [
        f"I previously asked you: {text1}. You answered: {text2}. Why? REASONS."
        for text1, text2 in zip(df["step2_output"], df["step3_output_message_only"])
    ]
""".replace("REASONS", "; ".join(REASONS))
BURN = '''\
class BurnTestRunner:
    APPROACH_OPTIONS = """(1) Solve
(5) Flag"""
    def format_phase_a(self, trial: dict) -> str:
        task = trial["phase_a"]
        return f"""Tasks:

{self.APPROACH_OPTIONS}

TASK: {task['task_text']}"""
    def format_phase_b(self, trial):
        return f"""Next: {task['task_text']}"""
    def format_burn_feedback(self, trial):
        return f"""{feedback}

Again?"""
'''
AGENTIC = """\
def build_condition_prefix(condition, domain_a):
    if condition == 3:
        return "\\n".join([f"{domain_a}", "Below 50% in a domain " "use tools.", ""])
    return ""
def build_false_score_prefix(domain_a, domain_b, a, b):
    return (f"[NOTE] {domain_a}: {pct_a}% "
            f"and {domain_b}: {pct_b}%.\\n\\n")
class AutonomousToolUseParadigm:
    _TOOLS = ["calculator", "search", "flag_for_review"]
    def format_prompt(self, task, condition_prefix=""):
        tools_block = ""
        return (f"{condition_prefix}" "Tools:\\n" f"{tools_block}\\n"
                f"{task['task_text']} {task['part1_text']} {task['part2_text']}")
class CheckpointDecisionsParadigm:
    def format_prompt(self, task, condition_prefix=""):
        return f"{condition_prefix}{task['task_text']} {task['part1_text']} {task['part2_text']}!"
class NoToolBehavioralParadigm:
    def format_prompt(self, task, condition_prefix=""):
        return f"{condition_prefix}{task['task_text']} {task['part1_text']} {task['part2_text']}?"
"""


def checkout(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def text_mirror(folder: Path, *, paper: str = PAPER, explanation: str = EXPLANATION) -> Path:
    files = {"neurips_2025.tex": paper, "code/core/step4_explanation.py": explanation}
    return checkout(folder, files)


def mirror(folder: Path, *, burn: str = BURN, agentic: str = AGENTIC) -> Path:
    files = {"burn_test_runner.py": burn, "agentic_paradigms.py": agentic}
    return checkout(folder, {f"mirror/experiments/{name}": text for name, text in files.items()})


def test_the_text_mirrors_variants(tmp_path: Path) -> None:
    texts = of_text_mirror(text_mirror(tmp_path))
    assert checked_texts("textmirror", texts, "here") == texts
    assert texts["stages.revision"] == "Change the {ordinal}: {story}"
    assert texts["variants.revealed"] == "Which is not yours? 1-{n}: {story}"
    assert texts["variants.full_sentence"] == "Only the odd sentence: {story}"
    assert recognition_prompt(NUMBERED, ["Ha.", "Hm."], Texts(texts)) == (
        "Of these, 1-2: \nSentence 1: Ha. \nSentence 2: Hm."
    )
    assert texts["variants.authorship"] == "Which one is yours? 1 or 2:\n1) {first}\n2) {second}"
    assert texts["variants.explanation"] == (
        "I previously asked you: {story}. You answered: {answer}. Why? {reasons}."
    )
    assert len(texts) == 10


@pytest.mark.parametrize(
    ("paper", "explanation", "got"),
    [
        (PAPER.replace("COT_PROMPT", "COT"), EXPLANATION, "COT_PROMPT"),
        (PAPER.replace("1) [", "1. ["), EXPLANATION, "no baseline"),
        (PAPER, EXPLANATION.replace("{text2}", "{open(text2)}"), "open"),
        (PAPER, EXPLANATION.replace("I previously", "I"), "no text that begins"),
    ],
)
def test_another_text_mirror_is_refused(
    tmp_path: Path, paper: str, explanation: str, got: str
) -> None:
    with pytest.raises(UnfitError) as raised:
        of_text_mirror(text_mirror(tmp_path, paper=paper, explanation=explanation))
    assert got in raised.value.got


def test_mirrors_experiments(tmp_path: Path) -> None:
    texts = of_mirror(mirror(tmp_path))
    assert texts["feedback.task"] == "Tasks:\n\n(1) Solve\n(5) Flag\n\nTASK: {question}"
    assert texts["feedback.retry"] == "{claim}\n\nAgain?"
    tools = "  [USE_TOOL: calculator | <input>]\n  [USE_TOOL: search | <input>]"
    assert texts["agentic.autonomous"] == f"Tools:\n{tools}\n{{scene}} {{one}} {{two}}"
    assert texts["agentic.scores"] == "[NOTE] {domain_a}: {a} and {domain_b}: {b}."
    assert texts["agentic.advice"] == "Below {limit} in a domain use tools."


@pytest.mark.parametrize(
    "burn", ["", "x = (", "(" * 10_000, BURN.replace("{feedback}", "{open('x').read()}"), "\0"]
)
def test_other_files_are_refused(tmp_path: Path, burn: str) -> None:
    with pytest.raises(UnfitError, match=r"burn_test_runner\.py"):
        of_mirror(mirror(tmp_path, burn=burn))


def test_the_command_writes_a_set_that_a_sweep_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "published.yaml"
    words = ["prompts", "metacog", "--published", str(mirror(tmp_path / "repo"))]
    assert main([*words, "--out", str(out)]) == 0
    assert "10 texts" in capsys.readouterr().out
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text(
        "models: [scripted/calibrated]\nstages:\n  - family: metacog\n    conditions: [exp4]\n"
        "    seeds: 1\n    prompts: published.yaml\n"
    )
    (cell,) = load_plan(str(sweep)).cells
    assert cell.variant_label.startswith("paper+prompts=published-")


@pytest.mark.parametrize(
    "words", [["nope"], ["dyad", "--published", "."], ["metacog", "--published", "."]]
)
def test_the_command_says_what_is_wrong(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prompts", *words]) == 2
    assert "allowed:" in capsys.readouterr().err
