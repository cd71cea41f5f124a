-- grain: one row per family, condition, model, temperature, variant, kind
-- Kinds of the identifications of all steps: a colour of the palette, another colour, no claim yet,
-- or something else; and the steps without a readable reply. share: of the cell's steps; `n_steps`
-- of them are of this kind, in `n` episodes.
with played as (
    select
        {cell},
        n_unread,
        n_unstated,
        n_palette,
        n_other_words,
        n_played - n_unread - n_unstated - n_palette - n_other_words as n_off_palette
    from episode.selfid
    where not failed
),

cells as (
    select
        {cell},
        unnest([
            {
                'kind': 'unread',
                'n': count(*) filter (where n_unread > 0),
                'n_steps': sum(n_unread)
            },
            {
                'kind': 'nothing yet',
                'n': count(*) filter (where n_unstated > 0),
                'n_steps': sum(n_unstated)
            },
            {
                'kind': 'palette',
                'n': count(*) filter (where n_palette > 0),
                'n_steps': sum(n_palette)
            },
            {
                'kind': 'something else',
                'n': count(*) filter (where n_other_words > 0),
                'n_steps': sum(n_other_words)
            },
            {
                'kind': 'off palette',
                'n': count(*) filter (where n_off_palette > 0),
                'n_steps': sum(n_off_palette)
            }
        ], recursive := true)
    from played
    group by family, condition, model, temperature, variant
),

kinds as (
    select * replace (n_steps::bigint as n_steps)
    from cells
    where n > 0
)

select
    *,
    n_steps / sum(n_steps) over (
        partition by family, condition, model, temperature, variant
    ) as share
from kinds
