"""`mirror-ray view` shows the episodes of runs in a browser, served locally or as files."""

from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing, suppress
from math import ceil
from pathlib import Path

from mirror_ray.cli.directories import manifests_of
from mirror_ray.cli.show import console, print_json
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import say
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.export import INDEX
from mirror_ray.viewer.frame_renderer import RenderWorker, new_renderer
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.run import Run
from mirror_ray.viewer.server import Viewer

MOST_UNCHOSEN = 100
"""The most episodes that are written if the command line chooses none."""


def main(arguments: Namespace) -> int:
    """Serve until interrupted, or write the chosen episodes and print where."""
    _check(arguments)
    manifests = manifests_of(arguments.directories)
    with closing(Run(manifests, RenderWorker(new_renderer), arguments.where)) as run:
        if arguments.static is not None:
            return _export(run, Path(arguments.static), arguments)
        return _serve(run, arguments)


def _check(arguments: Namespace) -> None:
    if arguments.episodes and arguments.static is None:
        raise SweepError(
            "command line: --episodes",
            " ".join(arguments.episodes),
            "only with --static FOLDER",
            "add --static FOLDER, or open the episode in the browser",
        )
    if arguments.static is not None and arguments.host is not None:
        raise SweepError(
            "command line: --host",
            arguments.host,
            "only without --static FOLDER: pages that are files need no server",
            "leave one of them out",
        )


def _serve(run: Run, arguments: Namespace) -> int:
    with Viewer(run, arguments.port, arguments.host) as viewer:
        if arguments.json:
            print_json({"address": viewer.address, "live": viewer.live_address})
        else:
            console.print(f"{viewer.address} · Ctrl-C ends it", soft_wrap=True)
            console.print(f"{viewer.live_address} · live view of the run", soft_wrap=True)
        with suppress(KeyboardInterrupt):
            viewer.serve_forever()
    return 0


def _export(run: Run, folder: Path, arguments: Namespace) -> int:
    # A row has its failure class only once all rows are known, and the pages state it.
    run.index.classes_note(None)
    chosen = _chosen(run.index, arguments.episodes) if arguments.episodes else run.index.all()
    n_found = len(chosen)
    if not arguments.episodes and arguments.where is None:
        chosen = chosen[:: max(1, ceil(n_found / MOST_UNCHOSEN))]
    # Imported late: this imports families, which a served list does not need.
    from mirror_ray.viewer.pages_at_once import write_chosen  # noqa: PLC0415

    # Closed in any case, so that the server's processes end before the run does.
    with closing(write_chosen(run, chosen, folder, renderer=new_renderer)) as pages:
        for written, path in enumerate(pages, start=1):
            if not arguments.json and path.name != INDEX:
                console.print(f"{written}/{len(chosen)} {path}", soft_wrap=True)
    if arguments.json:
        ids = [row["episode_id"] for row in chosen]
        print_json(
            {
                "folder": str(folder),
                "index": str(folder / INDEX),
                "episodes": ids,
                "left_out": n_found - len(chosen),
            }
        )
    else:
        if len(chosen) < n_found:
            say(
                console,
                f"{len(chosen):,} of {n_found:,} episodes, spread evenly over the list. Choose"
                " others by --episodes ID … or --where SQL; --where true writes all.",
            )
        console.print(str(folder / INDEX), soft_wrap=True)
    return 0


def _chosen(index: EpisodeIndex, prefixes: Sequence[str]) -> list[StoredRow]:
    found = {}
    for prefix in prefixes:
        matches = index.find(prefix)
        if len(matches) != 1:
            ids = ", ".join(row["episode_id"] for row in matches)
            raise SweepError(
                "command line: --episodes",
                f"{prefix!r}, which begins {f'several ids: {ids}' if ids else 'no sealed id'}",
                "an episode's id, or a unique beginning of one",
                "list them: mirror-ray view DIR",
            )
        found[matches[0]["episode_id"]] = matches[0]
    return sorted(found.values(), key=lambda row: int(row["place"]))
