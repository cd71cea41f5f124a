-- grain: one row per model, temperature, variant, reason
-- Step 4: the reasons that authors give for their choice in step 3; NULL for a reply that names
-- none. `share` is of the author's replies, `n` stories.
-- replies: model; temperature; variant where condition = 'explanation'
select
    family,
    model,
    temperature,
    variant,
    reason,
    count(distinct cluster) as n,
    count(*) as n_episodes,
    count(*) / sum(count(*)) over (partition by model, temperature, variant) as share
from episode.textmirror
where condition = 'explanation' and not failed
group by family, model, temperature, variant, reason
