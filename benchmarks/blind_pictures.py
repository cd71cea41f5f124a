"""What offline agents lose without pictures: FlipSet's and marktest's, by `contrast.grounded`.

python benchmarks/blind_pictures.py [--scenes 24]
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from support.agents_at_play import play_agents

PLAYED = (
    ("flipset", "L2", "paper", "accuracy", ("rotator", "position-biased")),
    ("marktest", "marked", "plain", "passed", ("mark-observer", "parrot")),
)


def main() -> None:
    """Print one table per family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=24)
    n_scenes = parser.parse_args().scenes
    for name, condition, variant, metric, agents in PLAYED:
        family = FAMILIES[name]
        specs = [
            EpisodeSpec(Cell(name, condition, models, 0.0, variant, axes), seed, 0)
            for models in ((("subject", f"scripted/{agent}"),) for agent in agents)
            for axes in (
                () if picture == "shown" else (("picture", picture),)
                for picture in family.axes["picture"].choices or ()
            )
            for seed in range(n_scenes)
        ]
        with TemporaryDirectory() as folder:
            play_agents(family, specs, Path(folder))
            with open_run(folder) as run:
                print(
                    run.sql(
                        "select model, picture, n, shown_estimate, blind_estimate, grounded,"
                        " ci_low, ci_high from contrast.grounded where metric = $1 order by all",
                        params=[metric],
                    )
                )


if __name__ == "__main__":
    main()
