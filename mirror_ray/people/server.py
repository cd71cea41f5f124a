"""The web server of a study: each person's pages, for holders of that person's link.

A link contains a token of this start, which is exchanged for a cookie at the first request; the
cookie is sent only below that person's address. Input from a browser is typed, bounded and accepted
only from a page of this server. No address, browser or time of looking is kept or logged."""

import asyncio
import logging
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from mirror_ray.core.errors import MirrorRayError
from mirror_ray.forms.form import MOST_FIELD_CHARS
from mirror_ray.pages.access import LOOPBACK, TOKEN_KEY, Access
from mirror_ray.pages.few_silent_async import FewSilent
from mirror_ray.pages.handler import SILENCE_S, not_listening
from mirror_ray.pages.html import InlinePage
from mirror_ray.pages.page_response import FOR_THIS_SITE_ALONE
from mirror_ray.people.playing import PersonPlay
from mirror_ray.people.study import Study
from mirror_ray.providers.persons import id_of

_PAGE = InlinePage("mirror_ray.people", "people")
_KEYS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", " ": "Space"}
MOST_BODY_BYTES = 256 * 1024
"""Most bytes of a form: a few texts, each character of which may take nine bytes."""
_MOST_FIELDS = 40
_TITLE = "Study"
_TOKEN_BYTES = 32
_FORM = "application/x-www-form-urlencoded"
_HEADERS = {"Server": "mirror-ray", **FOR_THIS_SITE_ALONE, "Referrer-Policy": "same-origin"}
_SILENT = logging.Logger("people", logging.CRITICAL + 1)
_Page = Callable[[web.Request, PersonPlay], Awaitable[web.Response]]


def render_form_page(state: str, title: str, **values: Any) -> bytes:
    """Return the page of a state, in UTF-8."""
    text = _PAGE.render(state=state, title=title, keys=_KEYS, most_chars=MOST_FIELD_CHARS, **values)
    return text.encode(errors="replace")


@cache
def form_page_policy() -> str:
    """Return the Content-Security-Policy of every page."""
    return _PAGE.policy("img-src 'self' data:")


class StudyServer:
    """Serves a study until it is closed. Others reach this machine by the name or address `host`,
    as in the viewer; None: they cannot."""

    def __init__(self, study: Study, port: int, host: str | None) -> None:
        self._study, self._port, self._host = study, port, host
        base = Access.of(host)
        self._access = {
            id_of(model): replace(base, token=token_urlsafe(_TOKEN_BYTES))
            for model in study.players
        }
        self._base = base
        self._players = {id_of(model): player for model, player in study.players.items()}
        self._few_silent = FewSilent()
        self._server: asyncio.Server | None = None
        app = web.Application(
            client_max_size=MOST_BODY_BYTES, middlewares=[self._few_silent.middleware]
        )
        app.on_response_prepare.append(_prepare)
        app.add_routes(
            [
                web.get("/{person}/", self._for(self._page)),
                web.get("/{person}/picture/{turn}/{number}", self._for(self._picture)),
                web.post("/{person}/consent", self._for(self._consent)),
                web.post("/{person}/answer", self._for(self._answer)),
            ]
        )
        # aiohttp's own log would record visitors' addresses.
        self._runner = web.AppRunner(
            app, access_log=None, logger=_SILENT, keepalive_timeout=SILENCE_S, shutdown_timeout=1.0
        )

    async def open(self) -> None:
        """Listen for requests. Raise SweepError if the port is taken or not allowed, or the host is
        not one of this machine."""
        await self._runner.setup()
        try:
            self._server = await self._few_silent.listen(
                self._runner, self._base.listens_at, self._port
            )
        except (OSError, OverflowError, UnicodeError) as error:
            raise not_listening(self._host, self._port, error) from error
        self._port = int(self._server.sockets[0].getsockname()[1])

    @property
    def addresses(self) -> Mapping[str, str]:
        """The address to open for each person, with their token."""
        return {
            model: f"http://{self._base.host or LOOPBACK}:{self._port}/{id_of(model)}/?"
            f"{urlencode({TOKEN_KEY: self._access[id_of(model)].token})}"
            for model in self._study.players
        }

    async def close(self) -> None:
        """End all connections."""
        if self._server is not None:
            self._server.close()
        await self._runner.cleanup()

    def _for(self, page: _Page) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            refusal = self._refusal(request)
            if refusal is not None:
                return refusal
            player = self._players[request.match_info["person"]]
            try:
                return await page(request, player)
            except web.HTTPException:
                raise
            except Exception:
                traceback.print_exc()
                return _text(HTTPStatus.INTERNAL_SERVER_ERROR, "a fault of the study's own")

        return handle

    def _refusal(self, request: web.Request) -> web.Response | None:
        hosts = request.headers.getall("Host", [""])
        if len(hosts) > 1 or not self._base.knows_host(hosts[0]):
            allowed = ", ".join(self._base.names)
            return _text(HTTPStatus.MISDIRECTED_REQUEST, f"asked for as another; {allowed}")
        person = request.match_info["person"]
        access = self._access.get(person)
        if access is not None and access.is_token(request.query.get(TOKEN_KEY, "")):
            kept = access.cookie(self._port, f"/{person}/")
            return web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": "./", **kept})
        cookies = "; ".join(request.headers.getall("Cookie", []))
        if access is None or not access.admits(cookies, self._port):
            return _text(HTTPStatus.FORBIDDEN, "open the link that you were given")
        if request.method == "POST" and not _from_here(request, hosts[0]):
            return _text(HTTPStatus.FORBIDDEN, "only this page may answer: load it again")
        return None

    async def _page(self, request: web.Request, player: PersonPlay) -> web.Response:
        study = self._study
        if not study.has_agreed(player.model):
            return _html(render_form_page("consent", _TITLE, text=study.text.text))
        player.begin()
        await player.settled()
        done, planned = study.counts(player.model)
        question = player.question
        if question is not None:
            player.shown()
        return _html(
            render_form_page(
                player.state, _TITLE, question=question, number=done + 1, planned=planned
            )
        )

    async def _consent(self, request: web.Request, player: PersonPlay) -> web.Response:
        form = await _form_of(request)
        if form.get("agree") != "yes":
            return _html(render_form_page("declined", _TITLE))
        if not self._study.has_agreed(player.model):
            try:
                self._study.agree(player.model)
            except MirrorRayError as error:
                print(f"mirror-ray people: {player.model}: {error}", file=sys.stderr, flush=True)
                return _html(render_form_page("failed", _TITLE), HTTPStatus.INTERNAL_SERVER_ERROR)
        return _back()

    async def _answer(self, request: web.Request, player: PersonPlay) -> web.Response:
        form = await _form_of(request)
        if self._study.has_agreed(player.model) and player.question is not None:
            names = [one.name for one in player.question.form.fields]
            given = {name: form.get(f"text-{place}", "") for place, name in enumerate(names)}
            await player.answer(form.get("turn", ""), form.get("choice", ""), given)
        return _back()

    async def _picture(self, request: web.Request, player: PersonPlay) -> web.Response:
        question, number = player.question, request.match_info["number"]
        if (
            not self._study.has_agreed(player.model)
            or question is None
            or request.match_info["turn"] != question.turn
            or not (number.isascii() and number.isdecimal() and len(number) < 4)
            or not 1 <= int(number) <= len(question.request.images)
        ):
            return _text(HTTPStatus.NOT_FOUND, "nothing here")
        image = question.request.images[int(number) - 1]
        return web.Response(body=image.data, content_type=f"image/{image.encoding}")


async def _prepare(_: web.BaseRequest, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)
    response.headers.setdefault("Content-Security-Policy", "default-src 'none'")


def _from_here(request: web.Request, host: str) -> bool:
    origin = request.headers.get("Origin", f"http://{host}")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    return origin == f"http://{host}" and site == "same-origin" and request.content_type == _FORM


async def _form_of(request: web.Request) -> Mapping[str, str]:
    try:
        async with asyncio.timeout(SILENCE_S):
            body = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    fields: Mapping[str, str] = {}
    with suppress(ValueError):
        text = body.decode("ascii", "replace")
        fields = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    return fields


def _html(body: bytes, status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.Response(
        body=body,
        status=status,
        content_type="text/html",
        charset="utf-8",
        headers={"Content-Security-Policy": form_page_policy()},
    )


def _text(status: HTTPStatus, text: str) -> web.Response:
    return web.Response(text=f"{text}\n", status=status)


def _back() -> web.Response:
    """Redirect to the person's page, so that a reload sends nothing again."""
    return web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": "./"})
