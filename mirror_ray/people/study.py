"""A study: the run directory in which people play, locked as by a run, without Ray."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import LostError
from mirror_ray.core.identity import EpisodeSpec, content_hash
from mirror_ray.core.plain_yaml import write_yaml
from mirror_ray.engine.driver.about_run import about_run, earlier_manifest
from mirror_ray.engine.episode_rows import codec_of, row_schemas, written_episode
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import AskModel, rollout
from mirror_ray.people.consent import PEOPLE_KEY, ConsentText, consents_in
from mirror_ray.people.drawing import PersonDrawing
from mirror_ray.people.playing import PersonPlay
from mirror_ray.providers.persons import id_of, is_person
from mirror_ray.records.environment import versions
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.run_log import RunLog
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.versions_differ import notes_on_resume
from mirror_ray.sweep.demands import draws
from mirror_ray.sweep.earlier import next_stages, refuse_other_data
from mirror_ray.sweep.growth import Joining
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.stages import waits
from mirror_ray.world.opengl.context import self_test

FINISHED, FAILED, INTERRUPTED = 0, 1, 130


def in_order(person: str, episodes: Iterable[EpisodeSpec]) -> list[EpisodeSpec]:
    """Return the episodes in this person's random order, which a plan's growth does not change."""
    return sorted(episodes, key=lambda spec: content_hash("order", person, spec.episode_id))


class Study:
    """A run directory in which people play; see `studying`."""

    def __init__(self, plan: Plan, text: ConsentText, run_dir: RunDir, recorder: Recorder) -> None:
        self._loaded = plan
        self._plan(plan)
        self.text = text
        self._run_dir, self._recorder = run_dir, recorder
        self._ended, self._tried = dict[str, str](), set[str]()
        self._agreed = {
            person: its
            for person, its in consents_in(earlier_manifest(run_dir.out)).items()
            if its["text_sha256"] == text.sha256
        }
        self._now: dict[str, Any] = {}
        self._drawing = PersonDrawing(on_drawn=self._note_host, on_hang=_end_hung)
        self._listing = asyncio.Lock()
        self._log = RunLog(run_dir.home)
        self._began: dict[str, Any] = {}
        self.players = {model: PersonPlay(model, self) for model in plan.persons}
        """The play of each person."""

    def started(self, about: Mapping[str, Any]) -> None:
        """Describe this run in the directory."""
        self._run_dir.describe(write_yaml(self._run_dir.sweep), about)
        self._began = {
            "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "pid": os.getpid(),
            "host": socket.gethostname(),
        }
        self._log.note("started", sweep=self.plan.sweep.name, versions=versions(), **self._began)
        self._note_progress()

    def has_agreed(self, model: str) -> bool:
        """Return whether this person has agreed to the text, in this run or an earlier one."""
        return model in self._agreed

    def agree(self, model: str) -> None:
        """Record that this person agrees to the text; durable on return. Raises RunDirError if it
        cannot be written."""
        given = self.text.given_now()
        self._run_dir.note(PEOPLE_KEY, {**self._now, model: given})
        self._now[model] = self._agreed[model] = given

    def counts(self, model: str) -> tuple[int, int]:
        """Return how many of a person's episodes have ended, and how many there are so far."""
        own = self._own.get(model, ())
        return sum(self._is_over(spec.episode_id) for spec in own), len(own)

    def left(self, model: str) -> Sequence[EpisodeSpec]:
        """Return the episodes that a person still has to play, in their order."""
        over = self._is_over
        own = self._own.get(model, ())
        return in_order(id_of(model), (one for one in own if not over(one.episode_id)))

    async def play(self, spec: EpisodeSpec, ask: AskModel) -> None:
        """Play an episode to its end from where it stopped, and keep its rows; durable on return.
        Raise RunDirError if the rows cannot be kept, EngineError if a reply could not be kept."""
        family = FAMILIES[spec.cell.family]
        prefixes = await self._recorder.prefixes([spec.episode_id])
        finished = await rollout(
            family,
            spec,
            sweep=self.plan.sweep.name,
            prefix=prefixes.get(spec.episode_id, ()),
            draw=self._drawing.draw,
            ask=ask,
        )
        finished, kept = written_episode(codec_of(family.name), finished)
        await self._recorder.finish(kept)
        kind, error = finished.episode["error_kind"], finished.episode["error"]
        self._ended[spec.episode_id] = kind
        self._tried.add(spec.episode_id)
        if kind not in FINAL_KINDS:
            print(f"mirror-ray people: episode {spec.episode_id}: {error}", file=sys.stderr)
        self._note_progress()

    async def record(self, entry: Entry) -> Entry:
        """Keep a reply; durable on return. Raises the errors of `Recorder.record`."""
        return await self._recorder.record(entry)

    @property
    def may_follow(self) -> bool:
        """Whether further episodes may depend on those that have not ended yet."""
        return any(map(waits, self.plan.stages)) and any(
            self._ended.get(spec.episode_id) not in FINAL_KINDS for spec in self.plan.episodes
        )

    async def go_on(self) -> None:
        """List the episodes that depend on ended ones. Raise RunDirError if a shard cannot be
        written or read, or if the records contradict earlier ones."""
        async with self._listing:
            # Sealed at once, so that reports and later stages can read ended episodes.
            await self._recorder.seal()
            self._plan(await asyncio.to_thread(_with_all_that_follows, self._loaded))
            ends = await self._recorder.finished([one.episode_id for one in self.plan.episodes])
            self._ended |= {episode_id: kind for episode_id, (_, kind) in ends.items()}

    @property
    def is_over(self) -> bool:
        """Whether everybody has played all episodes that exist so far."""
        return not any(self.left(model) for model in self.players)

    @property
    def exit_code(self) -> int:
        """The command's exit code: all played, some ended with an error, or some are left."""
        if not self.is_over:
            return INTERRUPTED
        own = (spec.episode_id for theirs in self._own.values() for spec in theirs)
        return FINISHED if all(self._ended.get(one) in FINAL_KINDS for one in own) else FAILED

    async def close(self) -> None:
        """Stop everybody, and note how the study ended."""
        for player in self.players.values():
            await player.close()
        self._drawing.close()
        self._note_progress()
        code = self.exit_code
        self._log.note(
            "ended",
            **self._began,
            outcome="stopped" if code else "finished",
            exit_code=code,
            why={INTERRUPTED: "interrupted", FAILED: "episodes ended with an error"}.get(code, ""),
        )

    def _plan(self, plan: Plan) -> None:
        self.plan = plan
        self._own: dict[str, list[EpisodeSpec]] = {}
        for spec in plan.episodes:
            if is_person(spec.cell.model):
                self._own.setdefault(spec.cell.model, []).append(spec)

    def _is_over(self, episode_id: str) -> bool:
        return self._ended.get(episode_id) in FINAL_KINDS or episode_id in self._tried

    def _note_host(self, facts: Mapping[str, Any]) -> None:
        self._run_dir.add_hosts({socket.gethostname(): facts})

    def _note_progress(self) -> None:
        counts = {model: self.counts(model) for model in self.players}
        done = sum(over for over, _ in counts.values())
        planned = sum(of for _, of in counts.values())
        self._log.note(
            "progress", **self._began, planned=planned, done=done, unplayed=planned - done
        )


@asynccontextmanager
async def studying(plan: Plan, text: ConsentText) -> AsyncIterator[tuple[Study, list[str]]]:
    """Open a plan's run directory for its people; yield the study, and readable notes. Raise
    RunDirError if the directory cannot be used, RenderError if nothing can be drawn here."""
    joining = Joining(plan)
    sweep = plan.sweep
    with RunDir(sweep.out, sweep.resolved, joining, replicate=sweep.replicate) as run_dir:
        plan = joining.plan
        before = earlier_manifest(run_dir.out)
        about = {**about_run(plan, self_test() if draws(plan) else None), **joining.about}
        notes = [*run_dir.notes(), *notes_on_resume(before, about)]
        recorder = Recorder(run_dir.out, row_schemas(plan.families), replicate=sweep.replicate)
        try:
            refuse_other_data(plan)
            study = Study(plan, text, run_dir, recorder)
            await study.go_on()
            study.started(about)
            try:
                yield study, notes
            finally:
                await study.close()
        finally:
            await recorder.close()


def _with_all_that_follows(plan: Plan) -> Plan:
    """Return the plan with all stages whose episodes depend on ended ones. A person's own part of a
    waiting stage may be known already."""
    while plan.begun < len(plan.stages):
        plan = next_stages(plan)
    return plan


def _end_hung(reason: str) -> None:
    """End the process: a hung graphics driver cannot be interrupted. All records are kept."""
    print(f"mirror-ray people: {reason}; run the same command again", file=sys.stderr, flush=True)
    os._exit(LostError.exit_code)
