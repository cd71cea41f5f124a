"""`mirror-ray replay` writes an episode as a GIF, an MP4 or a PNG strip."""

from argparse import Namespace
from contextlib import closing

from mirror_ray.cli.directories import output_folder
from mirror_ray.cli.show import console, print_json
from mirror_ray.core.errors import SweepError
from mirror_ray.records.manifest import read_manifest
from mirror_ray.replay.episode import drawn_steps, find_episode
from mirror_ray.replay.film.files import FILM_FORMATS, write_film
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.viewer.frame_renderer import new_renderer


def main(arguments: Namespace) -> int:
    """Print the files' paths; return 1 if the episode cannot be replayed to its end."""
    directory = arguments.directory
    formats = _formats(arguments.format)
    folder = output_folder(directory, arguments.out, "replay")
    specs = recorded_episodes(directory, read_manifest(directory))
    recording = find_episode(directory, specs, arguments.episode)
    with closing(new_renderer()) as renderer:
        film = write_film(recording, drawn_steps(recording, renderer), folder, formats)
    if arguments.json:
        print_json(
            {
                "episode_id": recording.spec.episode_id,
                "shots": film.drawn_steps,
                "paths": [str(path) for path in film.paths],
                "departure": film.mismatch,
            }
        )
    else:
        for path in film.paths:
            console.print(str(path), soft_wrap=True)
        if film.mismatch is not None:
            console.print(
                f"Shown up to request {film.drawn_steps} of {len(recording.steps)},"
                f" where today's program departs from the record: {film.mismatch}"
            )
    return int(film.mismatch is not None)


def _formats(given: str) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(part.strip().lower() for part in given.split(",")))
    unknown = [one for one in wanted if one not in FILM_FORMATS]
    if unknown:
        raise SweepError(
            "command line: --format",
            repr(given),
            f"some of {', '.join(FILM_FORMATS)}, joined by commas",
            "e.g. --format gif,png",
        )
    return wanted
