"""What chat templates leave at the ends of replies is removed there, and nowhere else."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.reading.replies.template_tokens import without_template_tokens

AT_THE_END = (
    *(
        "<|im_end|>",
        "<|eot_id|>",
        "</s>",
        "<end_of_turn>",
        "<|end|>",
        "<|endoftext|>",
        "<|return|>",
    ),
    *(
        "<eos>",
        "<|end_of_text|>",
        "<|eom_id|>",
        "<|end_of_turn|>",
        "<|END_OF_TURN_TOKEN|>",
        "[/INST]",
    ),
    *(
        "<\uff5cend\u2581of\u2581sentence\uff5c>",
        "<|endofassistant|>",
        "<end_of_utterance>",
        "<pad>",
    ),
    *(
        "\u200b",
        "\ufeff",
        "\u2060",
        "\u00ad",
        "\u200e\u200f",
        "<|im_end|>\n<|im_end|>\n",
        "</s></s>",
    ),
    *("[UNUSED_TOKEN_145]", "<turn|>", "<reserved_107>", "<extra_id_1>", "<SPECIAL_12>", "<0x0A>"),
    *("<seed:eos>", "<eoa>", "[|endofturn|]", "[end of text]", "<|end\u2581of\u2581sentence|>"),
    *("\uff1c\uff5cend\uff5c\uff1e", "\uff1c/s\uff1e", "<s/>", "</assistant>", "<END>", "<[end]>"),
    *("\x00", "\u202c", "\u180e", "\u3164", "\U000e0001", "<end_of_message>", "<fim_pad>"),
    *("\n<|im_end|>\u200b\n", " <|user|>", "<im_end>", "[EOS]", "<EOD>"),
    *("<|im_start|>assistant\n", "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"),
)
AT_THE_START = (
    *("<|im_start|>assistant\n", "<start_of_turn>model\n", "<s>", "<bos>", "<|assistant|>"),
    *("<|start_header_id|>assistant<|end_header_id|>\n\n", "\ufeff", "\u200b ", "[INST]"),
    *("[gMASK]<sop>", "[|assistant|]", "<|turn>model\n", "\u202a"),
    *("<\uff5cAssistant\uff5c>", "<|begin_of_text|>", "<|start|>assistant\n"),
)
KEPT = (
    "plain words",
    "  spaces and lines stay \n",
    "The token <|im_end|> ends a turn.",
    "a </s> b",
    "It was <s>struck out</s>",
    "3 < 4 and 5 |> 6",
    "<|channel|>final<|message|>Yes",
    "<think>hm</think>Yes",
    "<b>bold</b>",
    "flags: \U0001f468\u200d\U0001f469\u200d\U0001f467!",
    "with love \u2764\ufe0f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "\U0001fae8",
    "He walk[s]",
    "[INST is no token",
    "",
)


@pytest.mark.parametrize("token", AT_THE_END)
def test_at_the_end(token: str) -> None:
    assert without_template_tokens(f"It is red.{token}") == "It is red."


@pytest.mark.parametrize("token", AT_THE_START)
def test_at_the_start(token: str) -> None:
    assert without_template_tokens(f"{token}It is red.") == "It is red."


@pytest.mark.parametrize("text", KEPT)
def test_within_nothing_changes(text: str) -> None:
    assert without_template_tokens(text) == text


@given(
    st.text(st.sampled_from("ab .\n"), min_size=1).map(lambda text: f"x{text}y"),
    st.lists(st.sampled_from([*AT_THE_END, " ", "\n"]), max_size=4),
    st.lists(st.sampled_from([*AT_THE_START]), max_size=3),
)
def test_any_mixture_leaves_the_words(text: str, after: list[str], before: list[str]) -> None:
    whole = "".join(before) + text + "".join(after)
    assert without_template_tokens(whole).strip() == text
    assert without_template_tokens(without_template_tokens(whole)) == without_template_tokens(whole)


def test_it_is_linear() -> None:
    def took_s(n: int) -> float:
        texts = (
            "<|im_end|>" * n,
            "<" * n,
            " " * n + "x" + " " * n,
            "</s>" * n + "<s>",
            "\u200b" * n,
        )
        began_s = process_time()
        for text in texts:
            without_template_tokens(text)
        return process_time() - began_s

    took_s(1000)
    assert took_s(16_000) < 16 * took_s(4_000) + 1.0
