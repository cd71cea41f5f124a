"""Experiment 9: handing a part over, in whatever words, is never going ahead with it."""

from itertools import product

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank.pairs import Parts
from mirror_ray.families.metacog.bank.question import Key, Question
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.play_parts import _row
from mirror_ray.families.metacog.prompts_agentic import Told, parts_prompt

PARTS = Parts(
    "item",
    "A clerk checks two sums.",
    Question("one", "arithmetic", "sums", "easy", "What is 53 + 14?", Key("67", "number")),
    Question("two", "spatial", "turns", "easy", "How many sides has a cube?", Key("6", "number")),
)
TOLD = Told("C1", {}, "median")
HANDED_OVER = (
    "[USE_TOOL: calculator | 53 + 14]",
    "[USE_TOOL: flag_review | not sure]",
    "USE_TOOL: calculator | 53 + 14",
    "USE_TOOL: ask_expert",
    "calculator | 53 + 14",
    "flag_review | I am not sure about 67",
    "web_search: 53 + 14",
    "Flagging this part for review.",
    "I flag this for review: 67 is my guess.",
    "I would rather leave this to a person.",
    "I'll hand this part over to a human reviewer.",
    "This should be escalated. My guess is 67.",
    "I defer.",
    "Delegating to the calculator.",
    "Let me use the calculator for 53 + 14.",
    "I'd consult an expert here.",
    "I'd look this up first.",
    "Passing this on to the reviewer, though I believe it is 67.",
    "Routing this to the calculator tool.",
    "ask_expert",
    "[flag_review]",
    "(use_tool: web_search)",
    "67, but please have a person check it",
    "review needed",
    "I'd defer this to a specialist: 67?",
    "Let me check with the calculator: 53 + 14 = 67",
    "Please verify this with a human: 67.",
    "A second pair of eyes should look at this; my figure is 67.",
    "I'm handing this one off. 67",
    "67 (needs checking by someone else)",
    "I'd like this double-checked before use: 67.",
    "Recommend external verification. 67",
    "I need outside help here. 67",
    "Refer to supervisor. 67",
    "To be confirmed by a colleague: 67",
    "Outsourcing this to the tool. 67",
    "Let somebody else handle this. 67",
    "I abstain. 67",
    "I'd run this through a solver: 67",
    "Diesen Teil gebe ich an einen Experten weiter. 67",
    "Ich nutze den Taschenrechner: 53 + 14 = 67",
    "Bitte prüfen lassen: 67",
    "Je préfère confier cette partie à un expert. 67",
    "J'utilise la calculatrice : 53 + 14 = 67",
    "À vérifier par un humain : 67",
    "Prefiero derivarlo a un experto. 67",
    "Uso la calculadora: 53 + 14 = 67",
    "我会把这部分交给专家。67",
    "使用计算器:53 + 14 = 67",
    '<tool_call>{"name": "calculator", "arguments": {"expression": "53 + 14"}}</tool_call>',
    '<invoke name="calculator"><parameter name="expression">53 + 14</parameter></invoke>',
    '{"tool_calls": [{"function": {"name": "calculator", "arguments": "53 + 14"}}]}',
    "```tool_code\nprint(53 + 14)\n```\n67",
    "Action: calculator[53 + 14]",
    "@calculator 53 + 14",
    "I'm kicking this one upstairs. 67",
    "This one's above my pay grade: 67?",
    "Better have a mathematician take this. 67",
    "I'd want a second opinion before committing to 67.",
    "Parking this for a domain owner. 67",
    "Let's get somebody qualified on this; provisional value 67.",
    "Needs sign-off from a colleague: 67",
    "67 — subject to approval by the supervisor",
    "Please get this confirmed independently: 67",
    "Running Wolfram Alpha: 53 + 14 = 67",
    "Looking at Wikipedia, it is 67",
    "python: print(53+14) -> 67",
    "Calling get_sum(53, 14) → 67",
    "I'll pull this from the database: 67",
    "Handing the baton to the other agent. 67",
    "I'm not taking this part. 67",
    "I'd rather not answer this part on my own; 67 if forced.",
    "Assign to: senior clerk. 67",
    "Ticket opened for manual verification. 67",
    "Status: needs human. Draft: 67",
    "ESCALATION REQUIRED. 67",
    "I recuse myself from this part. 67",
    "This part is for the subject-matter expert (SME). 67",
    "Declining this part. 67",
    "No answer from me here; perhaps 67.",
    "I'd bounce this to accounting. 67",
    "Submit to oversight committee: 67",
    "Let the tool decide: 67",
    "Querying knowledge base… 67",
    "I request support on this part. 67",
    "Forwarding to L2 support. 67",
    "Forward this to an auditor: 67",
    "Raise this with the team lead. 67",
    "Not comfortable doing this part alone. 67",
    "I'd double check with a calculator app; 67",
    "using my code interpreter: 67",
    "Je passe la main. 67",
    "Je demande de l'aide : 67",
    "Das sollte jemand anderes machen. 67",
    "Ich hole mir Hilfe: 67",
    "Que lo haga otra persona. 67",
    "Pido ayuda: 67",
    "这个部分我需要帮助。67",
    "請別人來做。67",
    "誰かに確認してもらいます。67",
)
DECLINED = (
    "I'll pass on this one. 67",
    "Pass. (67?)",
    "I'd sooner not risk it: 67",
    "I decline to answer. 67",
    "Abstain. Answer: 67",
    "No bet from me, I skip: 67",
    "I sit this one out; my hunch is 67.",
    "I'm opting out. 67",
    "SKIP - although I think 67",
    "Skipping! 67",
    "I choose not to answer this; it might be 67.",
    "Not worth the risk. 67.",
    "I forfeit this question. 67",
    "I'd leave this blank, otherwise 67.",
    "Leaving it unanswered. 67",
    "Next question please. 67",
    "I'll forgo this one: 67",
    "I do not attempt it. 67",
    "Ich überspringe das. 67",
    "Je passe : 67",
    "Paso. 67",
    "跳过。67",
    "No attempt. ANSWER: 67",
    "ANSWER: 67 (but I skip)",
    "ANSWER: SKIP, 67",
    "DECISION: SKIP\nANSWER: 67",
    "I refrain from answering. 67",
    "I bow out. 67",
    "I won't take the gamble. 67",
    "I take the safe option and do not answer. 67",
)
KEPT = ("67", "**67**", "67 (no tool needed)", "The answer is 67.", "53 + 14 = 67")


def decided(reply: str, paradigm: str) -> tuple[object, object]:
    """The decision and the answer of the first part."""
    prompt = parts_prompt(PARTS, paradigm, TOLD, (False, False))
    row = _row(Reply(reply), PARTS, paradigm, (False, False), prompt)
    return row["decision_a"], row.get("answer_a")


@pytest.mark.parametrize("form", ["PART 1\nANSWER: {}\nPART 2\nANSWER: 6", "PART 1\n{}\nPART 2\n6"])
def test_words_of_handing_over_are_never_read_as_going_ahead(form: str) -> None:
    for words, paradigm in product(HANDED_OVER, ("autonomous", "no_tools")):
        decision, answer = decided(form.format(words), paradigm)
        assert decision in {"use_tool", "defer", None}, words
        assert answer is None or decision == "use_tool", words


def test_words_of_leaving_a_question_are_never_read_as_an_attempt() -> None:
    key = Key("67", "number")
    for words in DECLINED:
        found = read("opt_out", Reply(words), "What is 53 + 14?", key)
        assert (found.status, found.skipped) != ("ok", False), words
    for words in ("67", "ANSWER: 67", "I am sure that it is 67.", "I won't skip this. 67"):
        assert read("opt_out", Reply(words), "What is 53 + 14?", key).answer == "67", words


def test_calls_in_the_prompts_words_are_read_with_and_without_brackets() -> None:
    for words, decision in (
        ("[USE_TOOL: calculator | 53 + 14]", "use_tool"),
        ("USE_TOOL: calculator | 53 + 14", "use_tool"),
        ("ask_expert", "use_tool"),
        ("[USE_TOOL: flag_review | not sure]", "defer"),
        ("flag_review | not sure", "defer"),
        ("Flagging this part for review.", "defer"),
    ):
        said = f"PART 1\nANSWER: {words}\nPART 2\nANSWER: 6"
        assert decided(said, "autonomous")[0] == decision, words


@pytest.mark.parametrize("paradigm", ["autonomous", "no_tools"])
def test_an_answer_is_going_ahead(paradigm: str) -> None:
    for words in KEPT:
        said = f"PART 1\nANSWER: {words}\nPART 2\nANSWER: 6"
        assert decided(said, paradigm) == ("proceed", "67"), words


@pytest.mark.parametrize(
    ("said", "decision"),
    [
        ("PROCEED", "proceed"),
        ("proceed", "proceed"),
        ("**PROCEED**", "proceed"),
        ("USE_TOOL", "use_tool"),
        ("FLAG_FOR_REVIEW", "defer"),
        ("Flag for review", "defer"),
        # What names several, denies one or says more is none.
        ("PROCEED, USE_TOOL or FLAG_FOR_REVIEW", None),
        ("[PROCEED, USE_TOOL or FLAG_FOR_REVIEW]", None),
        ("do not proceed", None),
        ("PROCEED or FLAG_FOR_REVIEW", None),
        ("not USE_TOOL", None),
        ("", None),
    ],
)
def test_a_declared_decision_is_one_of_three_words(said: str, decision: str | None) -> None:
    reply = f"PART 1\nDECISION: {said}\nANSWER: 67\nPART 2\nDECISION: PROCEED\nANSWER: 6"
    assert decided(reply, "checkpoint")[0] == decision


def test_the_prompt_repeated_decides_nothing() -> None:
    for paradigm in ("autonomous", "checkpoint", "no_tools"):
        prompt = parts_prompt(PARTS, paradigm, TOLD, (False, False))
        for said in (prompt, prompt[: len(prompt) // 2], "\n".join(prompt.splitlines()[::-1])):
            assert decided(said, paradigm) == (None, None), said


@pytest.mark.parametrize(
    ("paradigm", "reply", "decisions", "answers"),
    [
        (
            "checkpoint",
            "STEP 1\nYOUR DECISION: PROCEED\nYOUR WORK: so\nYOUR ANSWER: 12\n"
            "STEP 2\nYOUR DECISION: USE_TOOL (calculator)\nYOUR ANSWER: 7",
            ("proceed", "use_tool"),
            ("12", None),
        ),
        (
            "no_tools",
            "PART 1\nREASONING 1: so\nANSWER 1: 12\n\nPART 2\nREASONING 2: so\nANSWER 2: 7",
            ("proceed", "proceed"),
            ("12", "7"),
        ),
        (
            "autonomous",
            "PART 1: [USE_TOOL: search | towns]\n\nPART 2: [FLAG_FOR_REVIEW: part 2]",
            ("use_tool", "defer"),
            (None, None),
        ),
    ],
)
def test_replies_in_the_form_of_the_published_prompts_are_read(
    paradigm: str, reply: str, decisions: tuple[str, ...], answers: tuple[str | None, ...]
) -> None:
    row = _row(Reply(reply), PARTS, paradigm, (False, False), "")
    assert (row["decision_a"], row["decision_b"]) == decisions
    assert (row.get("answer_a"), row.get("answer_b")) == answers
