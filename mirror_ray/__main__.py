"""`python -m mirror_ray`: the command line, wherever the script is not on the path."""

import sys

from mirror_ray.cli import main

sys.exit(main())
