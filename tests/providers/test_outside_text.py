"""Every reader of a provider's text, with the worst that can be repeated: none takes long.

In a process of its own, since a reader that tries all ways of reading a text cannot be interrupted.
"""

import subprocess
import sys

PROGRAM = r"""
from datetime import UTC, datetime
from math import isfinite

from mirror_ray.providers.classify import Failure, kind_of_failure, kind_of_finish, kind_of_status
from mirror_ray.providers.completion_body import plain_body
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.failed_call import reply_of_exception
from mirror_ray.providers.quota import _REQUESTS, _TOKENS, grants_nothing, quota_of
from mirror_ray.providers.redaction import Secrets, looks_like_a_key
from mirror_ray.providers.waits import finite_number, retry_after_s, seconds_until, span_s

PIECES = (
    "1s", "1ms", "1m ", "1h,", " ", "1", "1.", "1.1", "9s9", "m", "s", "\n", "\t1s",
    "try again in ", "try again in 1", "retry after 1", "retryDelay", "retryDelay'",
    "retryDelay':'", "'", "\\", ":", "x-ratelimit-", "retry-after-ms", "retry-after'",
    "x-ratelimit-a':'", "bearer ", "basic", "authorization", "api-key", "authorization: ", "?key=",
    "sk-", "sk", "AIza", "100;w=60,", "100;w=", "q=", "q=1", ";a=", '"', ",", '";q=1;w=',
    "exceeds ", "input token count ", "blocked by ", "account ", "[", "{", '{"a":', "[1,",
    "\x1b", "\ud800", "a", "-", "2026-01-01T", "Thu, 01 Jan 2026 ", "0", "e9", "_1",
)
ENDS = ("", "!")
ALLOWANCES = (*_REQUESTS, *_TOKENS)
NAMES = [name for each in ALLOWANCES for name in (each.limit, each.left, each.reset)]
NAMES += ["retry-after", "retry-after-ms", "ratelimit", "ratelimit-policy"]
NAMES += ["x-ratelimit-renewalperiod"]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
secrets = Secrets(["a" * 40, "key-of-this-process"])


class BadError(Exception):
    status_code = "4" * 100_000
    litellm_response_headers = {}


read = 0
for piece in PIECES:
    for end in ENDS:
        text = piece * (50_000 // len(piece)) + end
        for length in (60, 190, 450, 50_000):
            part = text[:length] + end
            headers = dict.fromkeys(NAMES, part)
            wait_s = retry_after_s(headers, part, NOW)
            assert wait_s is None or 0 <= wait_s <= 86_400
            quota = quota_of(headers, NOW)
            assert quota is None or quota.rpm is None or 1 / 60 <= quota.rpm <= 1e12
            grants_nothing(headers)
            seconds_until(part, NOW), finite_number(part), span_s(part)
            kind_of_failure(Failure(("E",), 429, part, headers))
            kind_of_status(400, part), kind_of_finish(part, part, part)
            looks_like_a_key(part), secrets.removed_from(part)
            assert len(secrets.one_line(part)) <= 300
        reply = reply_of_exception(
            BadError(text), secrets, Exchange()
        )
        assert reply.error.isprintable() and len(reply.error) <= 300
        assert len(plain_body(text.encode("utf-8", "surrogatepass"), 100)[0]) <= 50_100
        read += 1
print(read)
"""


def test_no_text_takes_long_to_read():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
