"""A refused batch: whether to wait, to fix it, or to pay."""

import pytest

from mirror_ray.providers.batches.refusals import refused_as


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        ([("token_limit_exceeded", "Enqueued token limit reached. Limit: 90,000")], "shed"),
        ([(None, "Enqueued token limit reached for gpt-4o in organization org-0")], "shed"),
        ([(None, "The batch queue is full. Please try again later.")], "shed"),
        ([("billing_hard_limit_reached", "Billing hard limit has been reached")], "auth"),
        ([("insufficient_quota", "You exceeded your current quota")], "auth"),
        ([(None, "Your prepayment credits are depleted")], "auth"),
        ([("invalid_request", "Line 3 exceeds the limit of max_tokens")], "bad_request"),
        ([(None, "Line 3 exceeds the limit of max_tokens")], "bad_request"),
        ([("model_not_found", "The model has no capacity to exist")], "bad_request"),
        ([("token_limit_exceeded", ""), ("invalid_json_line", "")], "bad_request"),
        ([("token_limit_exceeded", ""), ("billing_hard_limit_reached", "")], "auth"),
        ([(7, {"a": 1}), (["x"], None)], "bad_request"),
        ([], "bad_request"),
    ],
)  # fmt: skip
def test_a_refusal_is_told_by_its_codes(errors, kind):
    assert refused_as(errors) == kind
