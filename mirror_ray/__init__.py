"""A Ray-parallel sweep engine for mirror benchmarks of vision-language models.

The data flow, each arrow a package or a module::

    sweeps/*.yaml -plan-> cells -expand-> episodes -lease-> simulator -play-> ask <-> reply
        -record-> journal -seal-> Parquet shards -SQL-> episode scores -> metrics + CI

`sweep` plans, `tasks` plays, `world` simulates and renders, `providers` reply,
`records` keeps, `engine` runs all of it on Ray, and the top-level package
`analysis` reads the shards with DuckDB.
"""

__version__ = "0.1.0"
