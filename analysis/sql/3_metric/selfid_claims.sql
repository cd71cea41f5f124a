-- grain: one row per family, condition, model, temperature, variant, kind
-- What the identifications of all steps are: a colour of the palette, a colour off it, nothing yet,
-- or something else; and the steps without a reply that could be read. share: of the cell's steps;
-- `n_steps` of them are of this kind, in `n` episodes.
with counted as (
    select
        episodes.family,
        episodes.condition,
        episodes.model,
        episodes.temperature,
        episodes.variant,
        n_played - n_unread - n_unstated - n_palette - n_other_words as n_off_palette,
        unnest([
            {'kind': 'unread', 'n_of_kind': n_unread},
            {'kind': 'nothing yet', 'n_of_kind': n_unstated},
            {'kind': 'palette', 'n_of_kind': n_palette},
            {'kind': 'something else', 'n_of_kind': n_other_words},
            {'kind': 'off palette', 'n_of_kind': n_off_palette}
        ], recursive := true)
    from stage.selfid_trajectories_counts as played
    inner join episode.selfid as episodes using (episode_id)
    where not episodes.failed
),

kinds as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        kind,
        count(*) as n,
        sum(n_of_kind)::bigint as n_steps
    from counted
    where n_of_kind > 0
    group by all
)

select
    *,
    n_steps / sum(n_steps) over (
        partition by family, condition, model, temperature, variant
    ) as share
from kinds
