"""Status lines and redirects."""

from collections.abc import Mapping

from hostile_ways.answers import Asked, Way, as_bytes, failed, head, raw, sent


def _redirect(status: int, where: str) -> Way:
    """To `where`, in which ``{elsewhere}`` is another host and ``{here}`` this one."""

    def answer(asked: Asked) -> bytes:
        host = asked.elsewhere.removeprefix("http://")
        place = where.format(elsewhere=asked.elsewhere, host=host, here=asked.request.url)
        line = f"HTTP/1.1 {status} Moved"
        return head(f"Location: {place}", "Content-Length: 0", status=line)

    return raw(answer)


def _line(line: str, *headers: str) -> Way:
    """A calm body under another status line."""

    def answer(asked: Asked) -> bytes:
        body = as_bytes(asked.body)
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
        return head(*lines, status=line) + body

    return raw(answer)


REDIRECTS: Mapping[str, Way] = {
    **{
        f"redirect-{status}": _redirect(status, "{elsewhere}/v1/chat/completions")
        for status in (300, 301, 302, 303, 307, 308)
    },
    "redirect-loop": _redirect(307, "{here}"),
    "redirect-loop-grows": _redirect(307, "{here}?more=1"),
    "redirect-without-scheme": _redirect(307, "//{host}/v1/chat/completions"),
    "redirect-with-user": _redirect(308, "http://user:word@{host}/v1/chat/completions"),
    "redirect-backslash": _redirect(307, "http:\\\\{host}\\v1"),
    "redirect-file": _redirect(307, "file:///etc/passwd"),
    "redirect-ftp": _redirect(307, "ftp://{host}/"),
    "redirect-data": _redirect(307, "data:application/json,{{}}"),
    "redirect-nowhere": raw(head("Content-Length: 0", status="HTTP/1.1 307 Moved")),
    "redirect-empty": _redirect(307, ""),
    "redirect-broken-address": _redirect(307, "http://[::1"),
    "redirect-port": _redirect(307, "http://127.0.0.1:99999/"),
    "redirect-long": _redirect(307, "{elsewhere}/" + "x" * 7000),
    "redirect-escapes": _redirect(307, "{elsewhere}/\x1b]0;gone\x07"),
    "redirect-twice": raw(
        lambda asked: head(
            f"Location: {asked.elsewhere}/1",
            f"Location: {asked.elsewhere}/2",
            "Content-Length: 0",
            status="HTTP/1.1 307 Moved",
        )
    ),
    "redirect-refresh": sent(
        lambda asked: f'<meta http-equiv="refresh" content="0;url={asked.elsewhere}">',
        headers={"Refresh": "0"},
        content_type="text/html",
    ),
}

STATUS: Mapping[str, Way] = {
    **{
        f"status-{line.split()[1]}": _line(line)
        for line in (
            "HTTP/1.1 000 Nothing",
            "HTTP/1.1 099 Early",
            "HTTP/1.1 204 None",
            "HTTP/1.1 206 Partial",
            "HTTP/1.1 226 Used",
            "HTTP/1.1 299 Odd",
            "HTTP/1.1 304 Same",
            "HTTP/1.1 600 More",
            "HTTP/1.1 999 Most",
            "HTTP/1.1 1000 Four",
            "HTTP/1.1 -200 Less",
            "HTTP/1.1 2e2 Real",
            "HTTP/1.1 ２００ Wide",
        )
    },
    **{
        f"refused-{status}": failed(status, "no")
        for status in (
            400,
            401,
            402,
            403,
            404,
            405,
            407,
            408,
            409,
            410,
            413,
            418,
            422,
            451,
            499,
            500,
            501,
            503,
            511,
            529,
            599,
        )
    },
    "status-no-reason": _line("HTTP/1.1 200"),
    "status-long-reason": _line("HTTP/1.1 200 " + "x" * 7000),
    "status-reason-escapes": _line("HTTP/1.1 500 \x1b[31m\x1b]0;owned\x07"),
    "status-http-1.0": _line("HTTP/1.0 200 OK"),
    "status-http-2.0": _line("HTTP/2.0 200 OK"),
    "status-http-9.9": _line("HTTP/9.9 200 OK"),
    "status-icy": _line("ICY 200 OK"),
    "status-101": raw(head("Upgrade: h2c", "Connection: upgrade", status="HTTP/1.1 101 Switch")),
    "status-401-challenge": failed(
        401, "who?", headers={"WWW-Authenticate": 'Basic realm="' + "x" * 4000 + '"'}
    ),
}
