-- grain: one row per family, condition, temperature, variant
-- How much people agree on scenes that at least two of them answered. `agreement`: how often two
-- people gave the same answer to a scene, as the mean over scenes. `kappa` is Fleiss' (1971), with
-- as many raters as a scene has: agreement beyond that expected from the shares of the answers, 1
-- if all always agree; NULL if everybody always gave the same answer. Lettered options count by
-- letter, which means the same in all scenes.
-- replies: family; condition; temperature; variant where starts_with(model, 'human/')
with answers as (
    select
        struct_pack(family, condition, temperature, variant) as cell,
        scene_seed, run, shown,
        split_part(answer, ' · ', 1) as choice,
        count(*) as n_votes
    from metric.people
    where is_person and answer is not null
    group by cell, scene_seed, run, shown, choice
),

scenes as (
    select
        *,
        sum(n_votes) over (partition by cell, scene_seed, run, shown) as n_raters
    from answers
    qualify n_raters > 1
),

agreeing as (
    select
        cell, scene_seed, run, shown,
        any_value(n_raters)::bigint as n_raters,
        sum(n_votes * (n_votes - 1))
        / any_value(n_raters * (n_raters - 1)) as agreement
    from scenes
    group by cell, scene_seed, run, shown
),

observed as (
    select
        cell,
        count(*) as n_scenes,
        sum(n_raters)::bigint as n_answers,
        -- Ordered, so that the last digit is reproducible.
        avg(agreement order by agreement) as agreement
    from agreeing
    group by cell
),

shares as (
    select
        cell,
        choice,
        sum(n_votes) / sum(sum(n_votes)) over (partition by cell) as share
    from scenes
    group by cell, choice
),

expected as (
    select
        cell,
        sum(share * share order by share) as by_shares
    from shares
    group by cell
)

select
    unnest(cell),
    observed.* exclude (cell),
    (agreement - by_shares) / nullif(1 - by_shares, 0) as kappa
from observed
inner join expected using (cell)
