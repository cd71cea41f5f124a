"""Judges' verdicts on a model's answers, for later stages that use its own results."""

from mirror_ray.contract.listing import Earlier
from mirror_ray.core.identity import Cell

COUNTED_VERDICTS = """
    select
        judgements.judged_id,
        judgements.judged_ask,
        -- Judges that differ, or one that cannot be read, leave no verdict.
        if(
            count(*) = count(said.verdict) and count(distinct said.verdict) = 1,
            case any_value(said.verdict) when 'CORRECT' then true when 'INCORRECT' then false end,
            null
        ) as correct
    from episodes as judgements
    inner join steps as said using (episode_id)
    where judgements.condition = 'judge' and judgements.rubric = 'answer'
    group by judgements.judged_id, judgements.judged_ask
"""
"""Selects whether each answer was right by its judges, by episode and request; NULL if they leave
it open."""

_UNJUDGED = f"""
with verdicts as ({COUNTED_VERDICTS})
select count(*) as n
from steps
inner join episodes using (episode_id)
left join verdicts
    on steps.episode_id = verdicts.judged_id and steps.ask = verdicts.judged_ask
where
    episodes.condition = 'exp1' and episodes.channel = 'natural' and episodes.error_kind = 'none'
    and episodes.model = $model and episodes.temperature is not distinct from $temperature
    and steps.phase = 'answer'
    and coalesce(steps.key_kind, episodes.answer_kind) in ('text', 'open')
    and trim(coalesce(steps.reply, '')) <> '' and verdicts.judged_id is null
"""  # noqa: S608 - our own words


def all_judged(cell: Cell, earlier: Earlier) -> bool:
    """Return whether each free answer of the model in natural exp1 has a judgement."""
    found = earlier.rows(_UNJUDGED, model=cell.model, temperature=cell.temperature)
    return not found[0]["n"]


def judges(earlier: Earlier) -> list[str]:
    """Return the models that have judged."""
    found = earlier.rows(
        "select distinct model from episodes where condition = 'judge' order by model"
    )
    return [row["model"] for row in found]
