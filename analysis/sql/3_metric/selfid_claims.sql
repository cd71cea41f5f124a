-- grain: one row per family, condition, model, temperature, variant, kind
-- What the identifications of all steps are: a colour of the palette, a colour off it, nothing yet,
-- or something else; and the steps without a reply that could be read. share: of the cell's steps;
-- `n_steps` of them are of this kind, in `n` episodes.
-- An episode's steps are counted first: to count distinct episodes over all steps takes longer.
with counted as (
    select
        episode_id,
        if(action is null, 'unread', macro.claim_kind(identification)) as kind,
        count(*) as n_steps
    from stage.selfid_steps
    group by all
),

kinds as (
    select
        episodes.family,
        episodes.condition,
        episodes.model,
        episodes.temperature,
        episodes.variant,
        counted.kind,
        count(*) as n,
        sum(counted.n_steps)::bigint as n_steps
    from counted
    inner join stage.selfid_episodes as episodes using (episode_id)
    where episodes.error_kind = 'none'
    group by all
)

select
    *,
    n_steps / sum(n_steps) over (
        partition by family, condition, model, temperature, variant
    ) as share
from kinds
