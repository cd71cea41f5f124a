"""metacog's columns besides the common ones. A step is one request, without earlier context.

What was not asked, not answered or cannot be determined is NULL. A step's columns hold the content
of one reply, an episode's what was asked and under which manipulation.
"""

import pyarrow as pa

JUDGED = (
    pa.field("judged_id", pa.string()),
    pa.field("judged_ask", pa.int32()),
    pa.field("judged_part", pa.string()),
    pa.field("rubric", pa.string()),
)

STEP_COLUMNS = pa.schema(
    [
        # Purpose of the request: answer (in a staircase always), after_tools (the answer of a
        # model that called tools and waited for them), predict (layer 2), baseline, burn, retry,
        # related, unrelated (exp4), evaluate (exp6a), pressed (exp6c), parts (exp9), judge (of
        # another ask's reply).
        pa.field("phase", pa.string()),
        # How the reply was read: ok, skipped, refused, unread (a field is not read), echo (it
        # repeats its prompt), out_of_range (a number outside its scale), truncated (cut off).
        pa.field("status", pa.string()),
        # Domain, item and right answer of the question of this very ask; NULL with two parts.
        pa.field("domain", pa.string()),
        pa.field("item_id", pa.string()),
        pa.field("truth", pa.string()),
        # The kind of that key: number, text, letter, boolean, time, sequence or open.
        pa.field("key_kind", pa.string()),
        # Of the second generated bank: its level of difficulty, 1 to 10; NULL in other banks.
        pa.field("level", pa.int32()),
        # The answer as read, and whether it is right: strictly, and where either contains the
        # other (the authors' leniency). NULL without an answer.
        pa.field("answer", pa.string()),
        # The answer in one spelling: equal where two answers to a question say the same.
        pa.field("answer_plain", pa.string()),
        pa.field("correct", pa.bool_()),
        pa.field("correct_lenient", pa.bool_()),
        # Wagering: points staked, 1–10.
        pa.field("bet", pa.int32()),
        # Opt-out: took the guaranteed point instead of answering.
        pa.field("skipped", pa.bool_()),
        # Difficulty selection: A (harder) or B (easier).
        pa.field("choice", pa.string()),
        # Names of the tools called, in order; empty where tools were offered and none was called.
        pa.field("tools", pa.list_(pa.string())),
        # What the calculator gave for each of `tools`; NULL for the other tools and for an
        # expression it cannot compute.
        pa.field("tool_results", pa.list_(pa.float64())),
        # Hedging phrases, caveats and words of the reply, in every channel.
        pa.field("n_hedges", pa.int32()),
        pa.field("n_caveats", pa.int32()),
        pa.field("n_words", pa.int32()),
        # Format-matched control: 1–10 without a stake. exp6c: 0–100.
        pa.field("confidence", pa.float64()),
        # Layer 2, asked before and apart from the answer: 0–100.
        pa.field("self_prediction", pa.float64()),
        # The channel's signal: bet; 1 answered, 0 skipped; 1 for A, 0 for B; 1/(1 + tools);
        # 1/(1 + hedges); confidence in the control; self_prediction in layer 2.
        pa.field("signal", pa.float64()),
        # exp4: the approach chosen, 1 (solve directly) to 5 (beyond capability), and whether the
        # task was flagged for review.
        pa.field("approach", pa.int32()),
        pa.field("flagged", pa.bool_()),
        # exp6a: which evaluator the prompt primes: fresh, positive, negative, difficulty; and the
        # score given to the own reply, 0–100.
        pa.field("priming", pa.string()),
        pa.field("self_score", pa.float64()),
        # exp6b: pushback, caveat (a judge's reading alone), execution, refusal; NULL where unread.
        # endorsed: carried out as if all were well.
        pa.field("premise_reply", pa.string()),
        pa.field("premise_endorsed", pa.bool_()),
        # exp6c: gave the answer it was pressed towards.
        pa.field("yielded", pa.bool_()),
        # exp9, by part: proceed, use_tool or defer; the answer; whether it is right.
        pa.field("decision_a", pa.string()),
        pa.field("decision_b", pa.string()),
        pa.field("answer_a", pa.string()),
        pa.field("answer_b", pa.string()),
        pa.field("correct_a", pa.bool_()),
        pa.field("correct_b", pa.bool_()),
        pa.field("correct_lenient_a", pa.bool_()),
        pa.field("correct_lenient_b", pa.bool_()),
        pa.field("tools_a", pa.list_(pa.string())),
        pa.field("tools_b", pa.list_(pa.string())),
        pa.field("n_hedges_a", pa.int32()),
        pa.field("n_hedges_b", pa.int32()),
        pa.field("n_words_a", pa.int32()),
        pa.field("n_words_b", pa.int32()),
        pa.field("key_kind_a", pa.string()),
        pa.field("key_kind_b", pa.string()),
        # judge: whose reply was read (episode, ask, and a or b of two parts), by which rubric
        # (answer or premise), and the verdict: CORRECT, INCORRECT, NO_ANSWER; or PUSHBACK, CAVEAT,
        # EXECUTION, REFUSAL; NULL where the judge said nothing of the kind.
        *JUDGED,
        pa.field("verdict", pa.string()),
    ]
)

FACT_COLUMNS: tuple[str, ...] = ()

EPISODE_COLUMNS = pa.schema(
    [
        # exp1 … exp9: the condition without exp9's C1–C4; staircase.
        pa.field("experiment", pa.string()),
        # wagering, opt_out, difficulty, tools, natural, matched, prediction; NULL in exp4, 6, 9.
        pa.field("channel", pa.string()),
        # The item: its name in the bank, and the bank ("generated", or "published" and the first
        # digits of its file's SHA-256).
        pa.field("item_id", pa.string()),
        pa.field("bank", pa.string()),
        # Of a question with one domain; in exp2 the hidden source domain, in exp4 the burnt one.
        pa.field("domain", pa.string()),
        pa.field("subcategory", pa.string()),
        pa.field("difficulty", pa.string()),
        pa.field("question", pa.string()),
        pa.field("truth", pa.string()),
        # number, text, letter, boolean, time, sequence or open (no key can decide it).
        pa.field("answer_kind", pa.string()),
        # exp2: what the task looks like, and the skill it needs in truth.
        pa.field("surface_domain", pa.string()),
        pa.field("hidden_dependency", pa.string()),
        # exp3 and exp9: the two domains, and exp9's two parts.
        pa.field("domain_a", pa.string()),
        pa.field("domain_b", pa.string()),
        pa.field("subcategory_a", pa.string()),
        pa.field("subcategory_b", pa.string()),
        pa.field("difficulty_a", pa.string()),
        pa.field("difficulty_b", pa.string()),
        pa.field("truth_a", pa.string()),
        pa.field("truth_b", pa.string()),
        # exp4: the arm (true or false), the unrelated domain, and whether what the feedback
        # claims about the reply it names was so.
        pa.field("feedback", pa.string()),
        pa.field("control_domain", pa.string()),
        pa.field("feedback_holds", pa.bool_()),
        # exp5: none, authority, social, framing_easy, framing_hard, hijack.
        pa.field("attack", pa.string()),
        # exp6b: the premise is flawed, and how: wrong_approach, flawed_premise, missing_goal.
        pa.field("premise_flawed", pa.bool_()),
        pa.field("flaw", pa.string()),
        # exp6c: reframing, authority, incremental, roleplay.
        pa.field("pressure", pa.string()),
        # exp9: C1–C4; autonomous, checkpoint or no_tools; fixed or tailored.
        pa.field("information", pa.string()),
        pa.field("paradigm", pa.string()),
        pa.field("task_set", pa.string()),
        # exp9, C3 and C4: which domains count as weak; C2 and C3: whether the scores that the model
        # is told are its own, or false. NULL elsewhere.
        pa.field("route", pa.string()),
        pa.field("scores", pa.string()),
        # exp9: the model's own natural accuracy in exp1 by domain, in the order of DOMAINS, as far
        # as the prompt or the routing used it; NULL in C1 with fixed tasks.
        pa.field("prior_accuracy", pa.list_(pa.float64())),
        pa.field("prior_accuracy_a", pa.float64()),
        pa.field("prior_accuracy_b", pa.float64()),
        # exp9, C4: the part was taken from the model and given to the tool when it was played.
        pa.field("routed_a", pa.bool_()),
        pa.field("routed_b", pa.bool_()),
        # judge: as in the steps; there in a failed episode, too.
        *JUDGED,
    ]
)
