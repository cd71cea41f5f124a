"""The prompts of MIRROR's experiments 4 and 9, from the authors' repository (MIT).

[Our decision] Experiment 4's last two tasks are sent one at a time, in the form of the task before
them; the source puts both in one message. The 50% of experiment 9's advice is the slot `{limit}`.
"""

from pathlib import Path

from mirror_ray.contract.published_texts import PythonFile, python_file
from mirror_ray.core.errors import UnfitError

SOURCE = "github.com/Jason-Wang313/Mirror"
_FORMATS = {
    "autonomous": "AutonomousToolUseParadigm",
    "checkpoint": "CheckpointDecisionsParadigm",
    "no_tools": "NoToolBehavioralParadigm",
}


def published(checkout: Path) -> dict[str, str]:
    """Return the texts of both experiments by key. Raise UnfitError if files differ."""
    return {
        **_feedback(python_file(checkout, "mirror/experiments/burn_test_runner.py")),
        **_agentic(python_file(checkout, "mirror/experiments/agentic_paradigms.py")),
    }


def _feedback(file: PythonFile) -> dict[str, str]:
    slots = {
        "self.APPROACH_OPTIONS": file.text("APPROACH_OPTIONS"),
        "task['task_text']": "{question}",
        "feedback": "{claim}",
    }

    def text(method: str) -> str:
        return next(file.returned(f"BurnTestRunner.{method}", slots))

    return {
        "feedback.opening": "",
        "feedback.task": text("format_phase_a"),
        "feedback.next_task": text("format_phase_b"),
        "feedback.retry": text("format_burn_feedback"),
    }


def _agentic(file: PythonFile) -> dict[str, str]:
    tools = file.constant("_TOOLS")
    if not isinstance(tools, list):
        raise UnfitError(f"{file.path}: _TOOLS", "a list of tools", "use the authors' repository")
    slots = {
        "condition_prefix": "",
        "tools_block": "\n".join(f"  [USE_TOOL: {tool} | <input>]" for tool in tools[:-1]),
        "task['task_text']": "{scene}",
        "task['part1_text']": "{one}",
        "task['part2_text']": "{two}",
    }
    texts = {
        f"agentic.{paradigm}": next(file.returned(f"{name}.format_prompt", slots))
        for paradigm, name in _FORMATS.items()
    }
    measured = {name: f"{{{name}}}" for name in ("domain_a", "domain_b", "pct_a", "pct_b")}
    scores = next(file.returned("build_false_score_prefix", measured))
    advice = _advice(file)
    return {
        **texts,
        "agentic.scores": scores.strip().replace("{pct_a}%", "{a}").replace("{pct_b}%", "{b}"),
        "agentic.advice": advice.replace("50%", "{limit}"),
        "agentic.told": "{scores}\n{advice}",
    }


def _advice(file: PythonFile) -> str:
    found = [text for text in file.texts_in("build_condition_prefix") if "50%" in text]
    if len(found) != 1:
        raise UnfitError(
            f"{file.path}: {len(found)} texts about 50%", "one", "use the authors' repository"
        )
    return found[0]
