"""Replies of OpenAI, and what servers in general make of its protocol."""

from support.providers.reply_forms import BOTH, CALL, GPT, RATES, Form, red, said, usage, whole

CASES = {
    "openai": Form(GPT, whole(said("red", refusal=None, annotations=[])), "none", "red", BOTH),
    "openai-rates": Form(GPT, whole(said("red")), "none", "red", BOTH, headers=RATES),
    "openai-details": Form(
        GPT,
        whole(
            said("red"),
            usage(
                12,
                9,
                prompt_tokens_details={"cached_tokens": 8, "audio_tokens": 0},
                completion_tokens_details={"reasoning_tokens": 6, "audio_tokens": 0},
            ),
            service_tier="default",
            system_fingerprint="fp_1",
        ),
        "none",
        "red",
        (12, 9),
    ),
    "openai-flex": red(GPT, service_tier="flex"),
    "openai-length": Form(GPT, whole(said("re", "length")), "none", "re", BOTH),
    "openai-all-thought": Form(GPT, whole(said("", "length"), (12, 40)), "none", "", (12, 40)),
    "openai-refusal": Form(
        GPT, whole(said(None, refusal="I cannot help with that.")), "refusal", "", BOTH
    ),
    "openai-filter": Form(GPT, whole(said("re", "content_filter")), "content_filter", "re", BOTH),
    "openai-call": Form(GPT, whole(said(None, "tool_calls", tool_calls=[CALL])), "none", "", BOTH),
    "openai-call-and-text": Form(
        GPT, whole(said("I go.", "tool_calls", tool_calls=[CALL])), "none", "I go.", BOTH
    ),
    "openai-two-choices": Form(
        GPT, {**whole(said("red")), "choices": [said("red"), said("blue")]}, "none", "red", BOTH
    ),
    "openai-json": Form(GPT, whole(said('{"left": "red"}')), "none", '{"left": "red"}', BOTH),
    "openai-odd-characters": Form(
        GPT,
        whole(said("\u200brouge é 红 \U0001f534\n")),
        "none",
        "\u200brouge é 红 \U0001f534\n",
        BOTH,
    ),
    "openai-blanks": Form(GPT, whole(said("  \n")), "none", "  \n", BOTH),
    "no-usage": Form(GPT, whole(said("red"), None), "none", "red"),
    "no-usage-key": Form(GPT, {"choices": [said("red")], "model": "m", "id": "1"}, "none", "red"),
    "zero-usage": Form(GPT, whole(said("red"), (0, 0)), "none", "red"),
    "empty-and-unbilled": Form(GPT, whole(said(""), (12, 0)), "server", "", (12, 0)),
    "no-choices": Form(GPT, {**whole(said("")), "choices": []}, "server", "", BOTH),
    "null-choices": Form(GPT, {**whole(said("")), "choices": None}, "server", "", BOTH),
    "no-content": Form(
        GPT,
        whole({"index": 0, "finish_reason": "stop", "message": {"role": "assistant"}}, (12, 0)),
        "server",
        "",
        (12, 0),
    ),
    "content-parts": Form(
        GPT,
        whole(said([{"type": "text", "text": "re"}, {"type": "text", "text": "d"}])),
        "none",
        "red",
        BOTH,
    ),
    "content-number": Form(GPT, whole(said(5)), "server", "", BOTH),
    "text-usage": Form(
        GPT, whole(said("red"), {"prompt_tokens": "12", "completion_tokens": "3"}), "none", "red"
    ),
    "html": Form(GPT, "<html><body>Bad gateway</body></html>", "server"),
    "no-body": Form(GPT, "", "server"),
    "list": Form(GPT, [whole(said("red"))], "server"),
}
