"""A study over HTTP: who may see what, what is taken from a browser, and what the directory keeps.

Of words alone, so that nothing is drawn.
"""

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import yaml

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.errors import RunDirError, SweepError
from mirror_ray.engine.driver.earlier_runs import load_resume_state
from mirror_ray.people.consent import ConsentText, consent_text
from mirror_ray.people.server import MOST_BODY_BYTES, StudyServer
from mirror_ray.people.study import Study, studying
from mirror_ray.providers.persons import require_id
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_state import run_state
from mirror_ray.sweep.growth import growth_there
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

TEXT = ConsentText("We ask & <b>record</b>.\n")
HARM = "<script>window.harm=1</script>"
BROWSER = "a-browser-that-nobody-shall-know/1.0"


def sweep(folder: Path, **keys: object) -> str:
    stage = {"family": "metacog", "conditions": ["exp1"], "seeds": 2, "channel": ["wagering"]}
    file = folder / "words.yaml"
    told = {"name": "words", "models": ["scripted/calibrated"], "stages": [stage]}
    file.write_text(yaml.safe_dump({**told, "out": str(folder / "run"), **keys}))
    return str(file)


def plan_of(folder: Path, *persons: str) -> Plan:
    return load_plan(sweep(folder), persons=[f"human/{one}" for one in persons])


@dataclass
class Visit:
    """A person's browser, as far as it follows links and sends forms."""

    client: httpx.AsyncClient
    base: str
    study: Study

    async def get(self, path: str = "", **headers: str) -> httpx.Response:
        return await self.client.get(f"{self.base}{path}", headers=headers)

    async def post(self, path: str, form: Mapping[str, str], **headers: str) -> httpx.Response:
        return await self.client.post(f"{self.base}{path}", data=form, headers=headers)

    async def agree(self) -> str:
        await self.post("consent", {"agree": "yes"})
        return (await self.get()).text

    async def answer(self, page: str, *texts: str) -> str:
        form = {f"text-{at}": text for at, text in enumerate(texts)}
        await self.post("answer", {"turn": turn_of(page), "choice": "", **form})
        return (await self.get()).text


def turn_of(page: str) -> str:
    found = re.search(r'name="turn" value="([0-9a-f]{16})"', page)
    assert found is not None
    return found[1]


@asynccontextmanager
async def served(plan: Plan, text: ConsentText = TEXT) -> AsyncIterator[tuple[Study, StudyServer]]:
    async with studying(plan, text) as (study, _):
        server = StudyServer(study, 0, None)
        await server.open()
        try:
            yield study, server
        finally:
            await server.close()


@asynccontextmanager
async def visit(
    study: Study, server: StudyServer, person: str = "p1", *, opens: bool = True
) -> AsyncIterator[Visit]:
    link = server.addresses[f"human/{person}"]
    headers = {"User-Agent": BROWSER}
    async with httpx.AsyncClient(headers=headers, follow_redirects=False) as client:
        if opens:
            taken = await client.get(link)
            assert (taken.status_code, taken.headers["location"]) == (303, "./")
        yield Visit(client, link.partition("?")[0], study)


async def test_nothing_is_shown_without_the_link_nor_before_consent(tmp_path: Path) -> None:
    async with served(plan_of(tmp_path, "p1", "p2")) as (study, server):
        async with visit(study, server, opens=False) as stranger:
            for path in ("", "picture/0/1"):
                assert (await stranger.get(path)).status_code == 403
            assert (await stranger.post("consent", {"agree": "yes"})).status_code == 403
            wrong = f"{stranger.base.replace('/p1/', '/nobody/')}"
            assert (await stranger.client.get(wrong)).status_code == 403
        async with visit(study, server) as own:
            page = (await own.get()).text
            assert "We ask &amp; &lt;b&gt;record&lt;/b&gt;." in page
            assert "BET" not in page
            assert (await own.post("answer", {"turn": "x", "choice": "0"})).status_code == 303
            assert "BET" not in (await own.get()).text
            declined = await own.post("consent", {"agree": "no"})
            assert "Nothing was recorded" in declined.text
            assert "people" not in read_manifest(study.plan.sweep.out)["runs"][-1]
            assert "BET" in await own.agree()
            # The cookie is one person's.
            other = own.base.replace("/p1/", "/p2/")
            assert (await own.client.get(other)).status_code == 403
        kept = read_manifest(study.plan.sweep.out)["runs"][-1]["people"]
        assert kept["human/p1"]["text_sha256"] == TEXT.sha256
        assert kept["human/p1"]["text"] == TEXT.text
        assert list(kept) == ["human/p1"]


async def test_what_a_browser_sends_is_taken_from_this_page_alone(tmp_path: Path) -> None:
    async with served(plan_of(tmp_path, "p1")) as (study, server), visit(study, server) as own:
        elsewhere = {"Origin": "http://elsewhere.example"}
        for headers in (
            elsewhere,
            {"Sec-Fetch-Site": "cross-site"},
            {"Content-Type": "text/plain"},
        ):
            refused = await own.post("consent", {"agree": "yes"}, **headers)
            assert refused.status_code == 403
        assert not study.has_agreed("human/p1")
        assert (await own.get(Host="rebound.example")).status_code == 421
        page = await own.agree()
        assert "script-src 'sha256-" in (await own.get()).headers["content-security-policy"]
        assert (await own.get()).headers["server"] == "mirror-ray"
        large = "x" * (MOST_BODY_BYTES + 1)
        assert (await own.post("answer", {"text-0": large})).status_code == 413
        many = {f"f{n}": "x" for n in range(200)}
        assert (await own.post("answer", many)).status_code == 303
        for turn, choice in (("", ""), (HARM, "0"), (turn_of(page), "-1"), (turn_of(page), "0")):
            await own.post("answer", {"turn": turn, "choice": choice, "text-0": "7"})
        assert turn_of((await own.get()).text) == turn_of(page)
        for path in ("picture/0/1", f"picture/{turn_of(page)}/0", "picture/x/" + "9" * 500, "../x"):
            assert (await own.get(path)).status_code in (403, 404)


async def test_a_fault_of_the_pages_names_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async with served(plan_of(tmp_path, "p1")) as (study, server), visit(study, server) as own:

        def fails(model: str) -> bool:
            raise ArithmeticError(model)

        monkeypatch.setattr(study, "has_agreed", fails)
        assert (await own.get()).status_code == 500
        raw = b"GET /\x00 HTTP/9\r\n\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", httpx.URL(own.base).port)
        writer.write(raw)
        assert b" 400 " in await reader.read()
        writer.close()
    said = capfd.readouterr().err
    assert "ArithmeticError" in said
    assert "127.0.0.1" not in said


async def test_answers_are_rows_like_any_models(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "p1")
    async with served(plan) as (study, server), visit(study, server) as own:
        page = await own.agree()
        assert "Task 1 of 2" in page
        assert study.plan.episodes[0].cell.condition not in re.sub(r"<style>.*?</style>", "", page)
        page = await own.answer(page, f"42 {HARM}", "7")
        assert "Task 2 of 2" in page
        page = await own.answer(page, "", "")
        assert "Please answer first." in page
        assert study.exit_code == 130
        page = await own.answer(page, "8", "3")
        assert "That was all" in page
        assert study.is_over
        assert study.exit_code == 0
    out = plan.sweep.out
    with open_run(out) as connection:
        rows = connection.execute(
            "select model, reply, bet, error_kind, latency_s > 0, cost_usd from shard.metacog_steps"
            " order by bet desc"
        ).fetchall()
    assert rows == [
        ("human/p1", f"ANSWER: 42 {HARM}\nBET: 7", 7, "none", True, 0.0),
        ("human/p1", "ANSWER: 8\nBET: 3", 3, "none", True, 0.0),
    ]
    state = run_state(out, read_manifest(out), left=None)
    assert state.state == "finished"
    for file in (one for one in Path(out).rglob("*") if one.is_file()):
        assert BROWSER.encode() not in file.read_bytes()
        assert b"127.0.0.1" not in file.read_bytes()


async def test_a_person_goes_on_where_they_stopped_and_others_join(tmp_path: Path) -> None:
    async with served(plan_of(tmp_path, "p1")) as (study, server), visit(study, server) as own:
        first = await own.agree()
        second = await own.answer(first, "1", "2")
    # Another start: the same link does not hold, consent does, and so does the order.
    async with served(plan_of(tmp_path, "p2")) as (study, server):
        assert study.players.keys() == {"human/p1", "human/p2"}
        async with visit(study, server) as own, visit(study, server, "p2") as other:
            again = (await own.get()).text
            assert "Task 2 of 2" in again
            assert words(again) == words(second)
            assert "We ask" in (await other.get()).text
            # Both at once.
            pages = [again, await other.agree()]
            ended = await asyncio.gather(
                own.answer(pages[0], "1", "2"), other.answer(pages[1], "1")
            )
            assert "That was all" in ended[0]
            assert "Task 2 of 2" in ended[1]
    # Another text has to be agreed to anew.
    others = ConsentText("Other words.\n")
    async with (
        served(plan_of(tmp_path), others) as (study, server),
        visit(study, server, "p2") as other,
    ):
        assert "Other words." in (await other.get()).text


def words(page: str) -> str:
    found = re.search(r'<pre class="words">(.*?)</pre>', page, re.DOTALL)
    assert found is not None
    return html.unescape(found[1])


async def test_a_run_leaves_people_aside_and_keeps_them_in_its_plan(tmp_path: Path) -> None:
    async with served(plan_of(tmp_path, "p1")) as (study, server), visit(study, server) as own:
        await own.answer(await own.agree(), "1", "2")
    # The same sweep, as `mirror-ray run` loads it: nobody is named.
    plan = load_plan(sweep(tmp_path))
    assert plan.persons == ("human/p1",)
    assert growth_there(plan) is None
    state = await load_resume_state(plan)
    assert {spec.cell.model for spec in state.left} == {"scripted/calibrated"}
    assert len(state.left) == 2
    assert list(plan.asking_no_person.models) == ["scripted/calibrated"]


async def test_one_writer_at_a_time(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "p1")
    async with studying(plan, TEXT):
        with pytest.raises(RunDirError, match="in use"):
            async with studying(plan, TEXT):
                pass


@pytest.mark.parametrize("given", ["", "Anna", "majority", "a/b", "../x", "a b", "x" * 33, "é"])
def test_what_is_no_pseudonym_is_refused(given: str) -> None:
    with pytest.raises(SweepError, match="pseudonym"):
        require_id(given, "command line: --person")


def test_people_are_refused_where_until_would_wait_for_them(tmp_path: Path) -> None:
    stage = {"family": "flipset", "conditions": ["L2"], "seeds": 9}
    file = sweep(tmp_path, stages=[stage], until={"half_width": 0.2})
    assert load_plan(file).persons == ()
    with pytest.raises(SweepError, match="human/p1, whose answers no run can wait for"):
        load_plan(file, persons=["human/p1"])


def test_a_temperature_is_nothing_to_a_person(tmp_path: Path) -> None:
    stage = {"family": "metacog", "conditions": ["exp1"], "seeds": 2, "temperature": [0.0, 1.0]}
    file = sweep(tmp_path, stages=[stage])
    with pytest.raises(SweepError, match=r"0\.0 and 1\.0 for human/p1"):
        load_plan(file, persons=["human/p1"])


def test_a_text_to_agree_to_is_a_bounded_file(tmp_path: Path) -> None:
    own = tmp_path / "consent.txt"
    own.write_text("Yes?\x1b[2J\n", encoding="utf-8")
    assert consent_text(str(own)).text == "Yes?�[2J\n"
    for content, why in ((b"", "empty"), (b"\xff", "UTF-8"), (b"x" * 70_000, "bytes")):
        own.write_bytes(content)
        with pytest.raises(SweepError, match=why):
            consent_text(str(own))
    assert "pseudonym" in consent_text(None).text
    assert json.dumps(consent_text(None).given_now())
