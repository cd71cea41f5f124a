"""What a list of episodes is narrowed to: from an address, to SQL.

Knows the list's columns that can be chosen by value; does not run a query.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Filters:
    """What a list is narrowed to; None: anything. Values as a list's columns show them.

    Args:
        id: how an episode's id begins.
    """

    family: str | None = None
    condition: str | None = None
    model: str | None = None
    variant: str | None = None
    temperature: str | None = None
    outcome: str | None = None
    failure: str | None = None
    id: str | None = None

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """From an address's query; empty values and other keys are left out."""
        return cls(**{one.name: given[one.name] for one in fields(cls) if given.get(one.name)})

    def chosen(self) -> dict[str, str]:
        """The filters that are set."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def condition_sql(self, *, but: str | None = None) -> tuple[str, dict[str, str]]:
        """A SQL condition over the list, and its parameters; `but` leaves one filter out."""
        values = {name: value for name, value in self.chosen().items() if name != but}
        terms = [_TERMS.get(name, f"{name}::varchar = ${name}") for name in values]
        return " and ".join(terms) or "true", values


_TERMS = {"id": "starts_with(episode_id, $id)"}

CHOSEN_BY_VALUE = tuple(one.name for one in fields(Filters) if one.name != "id")
