"""metacog's columns besides the common ones. A step is one request, without earlier context.

What was not asked, not answered or cannot be determined is NULL. A step's columns hold the content
of one reply, an episode's what was asked and under which manipulation.
"""

import pyarrow as pa

_TEXT, _WHOLE, _REAL, _TRUTH = pa.string(), pa.int32(), pa.float64(), pa.bool_()


def _fields(kind: pa.DataType, *names: str) -> list[pa.Field]:
    return [pa.field(name, kind) for name in names]


JUDGED = (
    pa.field("judged_id", _TEXT),
    pa.field("judged_ask", _WHOLE),
    *_fields(_TEXT, "judged_part", "rubric"),
)

STEP_COLUMNS = pa.schema(
    [
        # Purpose of the request: answer (in a staircase always), after_tools (the answer of a
        # model that called tools and waited for them), predict (layer 2), baseline, burn, retry,
        # related, unrelated (exp4), evaluate (exp6a), pressed (exp6c), parts (exp9), judge (of
        # another ask's reply).
        pa.field("phase", _TEXT),
        # How the reply was read: ok, skipped, refused, unread (a field is not read), echo (it
        # repeats its prompt), out_of_range (a number outside its scale), truncated (cut off).
        pa.field("status", _TEXT),
        # Domain, item and right answer of the question of this very ask; NULL with two parts.
        *_fields(_TEXT, "domain", "item_id", "truth"),
        # The kind of that key: number, text, letter, boolean, time, sequence or open.
        pa.field("key_kind", _TEXT),
        # Of the second generated bank: its level of difficulty, 1 to 10; NULL in other banks.
        pa.field("level", _WHOLE),
        # The answer as read, and whether it is right: strictly, and where either contains the
        # other (the authors' leniency). NULL without an answer.
        pa.field("answer", _TEXT),
        # The answer in one spelling: equal where two answers to a question say the same.
        pa.field("answer_plain", _TEXT),
        *_fields(_TRUTH, "correct", "correct_lenient"),
        # Wagering: points staked, 1–10.
        pa.field("bet", _WHOLE),
        # Opt-out: took the guaranteed point instead of answering.
        pa.field("skipped", _TRUTH),
        # Difficulty selection: A (harder) or B (easier).
        pa.field("choice", _TEXT),
        # Names of the tools called, in order; empty where tools were offered and none was called.
        pa.field("tools", pa.list_(_TEXT)),
        # What the calculator gave for each of `tools`; NULL for the other tools and for an
        # expression it cannot compute.
        pa.field("tool_results", pa.list_(_REAL)),
        # Hedging phrases, caveats and words of the reply, in every channel.
        *_fields(_WHOLE, "n_hedges", "n_caveats", "n_words"),
        # Format-matched control: 1–10 without a stake. exp6c: 0–100.
        pa.field("confidence", _REAL),
        # Layer 2, asked before and apart from the answer: 0–100.
        pa.field("self_prediction", _REAL),
        # The channel's signal: bet; 1 answered, 0 skipped; 1 for A, 0 for B; 1/(1 + tools);
        # 1/(1 + hedges); confidence in the control; self_prediction in layer 2.
        pa.field("signal", _REAL),
        # exp4: the approach chosen, 1 (solve directly) to 5 (beyond capability), and whether the
        # task was flagged for review.
        pa.field("approach", _WHOLE),
        pa.field("flagged", _TRUTH),
        # exp6a: which evaluator the prompt primes: fresh, positive, negative, difficulty; and the
        # score given to the own reply, 0–100.
        pa.field("priming", _TEXT),
        pa.field("self_score", _REAL),
        # exp6b: pushback, caveat (a judge's reading alone), execution, refusal; NULL where unread.
        # endorsed: carried out as if all were well.
        pa.field("premise_reply", _TEXT),
        pa.field("premise_endorsed", _TRUTH),
        # exp6c: gave the answer it was pressed towards.
        pa.field("yielded", _TRUTH),
        # exp9, by part: proceed, use_tool or defer; the answer; whether it is right.
        *_fields(_TEXT, "decision_a", "decision_b", "answer_a", "answer_b"),
        *_fields(_TRUTH, "correct_a", "correct_b", "correct_lenient_a", "correct_lenient_b"),
        *_fields(pa.list_(_TEXT), "tools_a", "tools_b"),
        *_fields(_WHOLE, "n_hedges_a", "n_hedges_b", "n_words_a", "n_words_b"),
        *_fields(_TEXT, "key_kind_a", "key_kind_b"),
        # judge: whose reply was read (episode, ask, and a or b of two parts), by which rubric
        # (answer or premise), and the verdict: CORRECT, INCORRECT, NO_ANSWER; or PUSHBACK, CAVEAT,
        # EXECUTION, REFUSAL; NULL where the judge said nothing of the kind.
        *JUDGED,
        pa.field("verdict", _TEXT),
    ]
)

FACT_COLUMNS: tuple[str, ...] = ()

EPISODE_COLUMNS = pa.schema(
    [
        # exp1 … exp9: the condition without exp9's C1–C4; staircase.
        pa.field("experiment", _TEXT),
        # wagering, opt_out, difficulty, tools, natural, matched, prediction; NULL in exp4, 6, 9.
        pa.field("channel", _TEXT),
        # The item: its name in the bank, and the bank ("generated", or "published" and the first
        # digits of its file's SHA-256).
        *_fields(_TEXT, "item_id", "bank"),
        # Of a question with one domain; in exp2 the hidden source domain, in exp4 the burnt one.
        *_fields(_TEXT, "domain", "subcategory", "difficulty", "question", "truth"),
        # number, text, letter, boolean, time, sequence or open (no key can decide it).
        pa.field("answer_kind", _TEXT),
        # exp2: what the task looks like, and the skill it needs in truth.
        *_fields(_TEXT, "surface_domain", "hidden_dependency"),
        # exp3 and exp9: the two domains, and exp9's two parts.
        *_fields(
            _TEXT,
            "domain_a",
            "domain_b",
            "subcategory_a",
            "subcategory_b",
            "difficulty_a",
            "difficulty_b",
            "truth_a",
            "truth_b",
        ),
        # exp4: the arm (true or false), the unrelated domain, and whether what the feedback
        # claims about the reply it names was so.
        *_fields(_TEXT, "feedback", "control_domain"),
        pa.field("feedback_holds", _TRUTH),
        # exp5: none, authority, social, framing_easy, framing_hard, hijack.
        pa.field("attack", _TEXT),
        # exp6b: the premise is flawed, and how: wrong_approach, flawed_premise, missing_goal.
        pa.field("premise_flawed", _TRUTH),
        pa.field("flaw", _TEXT),
        # exp6c: reframing, authority, incremental, roleplay.
        pa.field("pressure", _TEXT),
        # exp9: C1–C4; autonomous, checkpoint or no_tools; fixed or tailored.
        *_fields(_TEXT, "information", "paradigm", "task_set"),
        # exp9, C3 and C4: which domains count as weak; C2 and C3: whether the scores that the model
        # is told are its own, or false. NULL elsewhere.
        *_fields(_TEXT, "route", "scores"),
        # exp9: the model's own natural accuracy in exp1 by domain, in the order of DOMAINS, as far
        # as the prompt or the routing used it; NULL in C1 with fixed tasks.
        pa.field("prior_accuracy", pa.list_(_REAL)),
        *_fields(_REAL, "prior_accuracy_a", "prior_accuracy_b"),
        # exp9, C4: the part was taken from the model and given to the tool when it was played.
        *_fields(_TRUTH, "routed_a", "routed_b"),
        # judge: as in the steps; there in a failed episode, too.
        *JUDGED,
    ]
)
