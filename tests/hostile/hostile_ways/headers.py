"""Headers: what a server says of waits and limits, cookies, and headers that are none."""

from collections.abc import Mapping

from hostile_ways.answers import Asked, Way, as_bytes, calm, failed, head, raw

BACKTRACKING = "1ms" * 40 + "!"
"""Every unit can be read in two ways, and the whole in none."""


def _waits(value: str, status: int = 503, name: str = "Retry-After") -> Way:
    return failed(status, "later", headers={name: value})


def _limits(**values: str) -> Way:
    """A calm reply that tells of limits; underscores stand for hyphens."""
    return calm(headers={name.replace("_", "-"): value for name, value in values.items()})


def _lines(*lines: str | bytes) -> Way:
    """A calm reply with header lines as they are."""

    def answer(asked: Asked) -> bytes:
        body = as_bytes(asked.body)
        extra = b"".join(
            (line if isinstance(line, bytes) else line.encode()) + b"\r\n" for line in lines
        )
        plain = head("Content-Type: application/json", f"Content-Length: {len(body)}")
        return plain[:-2] + extra + b"\r\n" + body

    return raw(answer)


WAITS: Mapping[str, Way] = {
    **{
        f"wait-{name}": _waits(value)
        for name, value in {
            "nan": "NaN",
            "inf": "inf",
            "1e308": "1e308",
            "1e999": "1e999",
            "negative": "-5",
            "empty": "",
            "wide-digits": "１２",
            "underscores": "1_0",
            "hex": "0x10",
            "digits": "9" * 5000,
            "backtracking": BACKTRACKING,
            "units": "1d" * 2000,
            "spaces": " " * 3000 + "1" + " " * 3000 + "x",
            "date-year-0": "Mon, 01 Jan 0000 00:00:00 GMT",
            "date-year-99999": "Mon, 01 Jan 99999 00:00:00 GMT",
            "date-far": "Fri, 31 Dec 9999 23:59:59 -9999",
            "date-iso": "9999-12-31T23:59:59-23:59",
            "date-words": "Mon, " * 1500,
            "epoch": "99999999999999999",
            "list": ",".join("7" * 1000),
        }.items()
    },
    "wait-ms-1e308": _waits("1e308", name="retry-after-ms"),
    "wait-ms-nan": _waits("nan", name="retry-after-ms"),
    "wait-ms-negative": _waits("-1e300", name="retry-after-ms"),
    "wait-429-nan": _waits("NaN", 429),
    "wait-429-negative": _waits("-5", 429),
    "wait-429-backtracking": _waits(BACKTRACKING, 429),
    "wait-in-words": failed(503, f"try again in {'1ms' * 40}!"),
    "wait-in-words-many": failed(503, "try again in " * 20_000),
    "wait-in-words-digits": failed(503, f"try again in {'9' * 5000}s"),
    "wait-in-words-1e308": failed(503, f"retry after {'9' * 400}h"),
    "wait-retry-delay": failed(503, '{"retryDelay": "' + "9." * 2000 + 's"}'),
    "wait-retry-delay-1e308": failed(503, '{"retryDelay": "' + "9" * 400 + 's"}'),
    "wait-quoted": failed(503, '{"Retry-After": "' + "1ms" * 40 + '!"}'),
    "wait-quoted-many": failed(503, 'x-ratelimit-limit": ' * 20_000),
    "wait-should-retry": _waits("0", name="x-should-retry"),
}

LIMITS: Mapping[str, Way] = {
    **{
        f"limit-{name}": _limits(
            x_ratelimit_limit_requests=value,
            x_ratelimit_limit_tokens=value,
            x_ratelimit_remaining_requests="1",
            x_ratelimit_reset_requests="1s",
        )
        for name, value in {
            "1e-300": "1e-300",
            "1e-9": "0.000000001",
            "nan": "NaN",
            "inf": "inf",
            "negative": "-1",
            "zero": "0",
            "1e308": "1e308",
            "wide-digits": "６００",
            "underscores": "6_0",
            "empty": "",
            "backtracking": BACKTRACKING,
            "digits": "9" * 5000,
            "window-zero": "5;w=0",
            "window-digits": "5;w=" + "9" * 5000,
            "policies": "1;w=1," * 1000,
        }.items()
    },
    "limit-reset-backtracking": _limits(
        x_ratelimit_limit_requests="60",
        x_ratelimit_remaining_requests="59",
        x_ratelimit_reset_requests=BACKTRACKING,
    ),
    "limit-reset-1e308": _limits(
        x_ratelimit_limit_requests="60",
        x_ratelimit_remaining_requests="0",
        x_ratelimit_reset_requests="1e308",
    ),
    "limit-left-negative": _limits(
        x_ratelimit_limit_requests="60",
        x_ratelimit_remaining_requests="-1e300",
        x_ratelimit_reset_requests="-5",
    ),
    "limit-left-1e308": _limits(
        x_ratelimit_limit_requests="60", x_ratelimit_remaining_requests="1e308"
    ),
    "limit-renewal-1e-300": _limits(
        x_ratelimit_limit_requests="60", x_ratelimit_renewalperiod_requests="1e-300"
    ),
    "limit-per-second-1e-300": _limits(
        x_tokenlimit_limit="1e-300", x_ratelimit_limit="1e-300", x_tokenlimit_reset="nan"
    ),
    "limit-anthropic": _limits(
        anthropic_ratelimit_requests_limit="1e-300",
        anthropic_ratelimit_tokens_limit="-1",
        anthropic_ratelimit_requests_reset="0000-00-00T99:99:99Z",
    ),
    "limit-ietf": _limits(
        ratelimit='"x";r=nan;t=1e308', ratelimit_policy='"x";q=1e-300;w=' + "9" * 400
    ),
    "limit-ietf-many": _limits(ratelimit='"x"' + ";r=0" * 1500, ratelimit_policy="q=1;" * 1500),
}

ODD_HEADERS: Mapping[str, Way] = {
    "header-cookies": calm(
        headers=[("Set-Cookie", f"c{n}={'x' * 3500}; Path=/") for n in range(60)]
    ),
    "header-cookie-odd": calm(
        headers=[("Set-Cookie", "a=b; Domain=127.0.0.1; Expires=NaN; Max-Age=1e308; Path=/")]
    ),
    "header-cookie-escapes": _lines("Set-Cookie: \x1b]0;owned\x07=\x00"),
    "header-thousands": calm(headers=[(f"x-{n}", "y") for n in range(5000)]),
    "header-same-thousands": calm(headers=[("x-same", "y")] * 5000),
    "header-8k": calm(headers={"x-long": "y" * 8000}),
    "header-1mb": calm(headers={"x-long": "y" * 2**20}),
    "header-long-name": calm(headers={"x" * 60_000: "y"}),
    "header-escapes": calm(headers={"x-request-id": "\x1b]0;owned\x07\x1b[2J"}),
    "header-unicode": calm(headers={"x-request-id": "réponse\u202eطلب"}),
    "header-bytes": _lines(b"x-request-id: \xff\xfe\x80"),
    "header-nul": _lines(b"x-request-id: a\x00b"),
    "header-no-colon": _lines("this is no header"),
    "header-empty-name": _lines(": value"),
    "header-space-name": _lines("x request: value", "x-other : value"),
    "header-folded": _lines("x-folded: a", " b", "\tc"),
    "header-bare-cr": _lines(b"x-cr: a\rSet-Cookie: b=c"),
    "header-split": _lines(b"x-split: a\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK"),
    "header-two-lengths": _lines("Content-Length: 5"),
    "header-length-and-chunks": _lines("Transfer-Encoding: chunked"),
    "header-dunder": calm(
        headers={"__class__": "x", "llm_provider-x-ratelimit-limit": "1", "content": "y"}
    ),
    "header-hidden-cost": calm(headers={"x-litellm-response-cost": "-1000"}),
    "header-link": calm(headers={"Link": "<http://127.0.0.2/>; rel=preload"}),
    "header-alt-svc": calm(
        headers={"Alt-Svc": 'h2="127.0.0.2:1"', "Strict-Transport-Security": "max-age=9"}
    ),
    "header-date": calm(headers={"Date": "never"}),
}
