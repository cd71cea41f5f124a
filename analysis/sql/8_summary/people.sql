-- grain: one row per family, condition, temperature, variant, model
-- People, their vote (`human/majority`), and models, on the scenes that people have played: shares
-- of the family's main metric over `n` units of evidence, with Wilson's interval on their effective
-- number. `n_tied` scenes had no majority, which scores 0. A scene that depends on its reader's own
-- episode is no other reader's.
-- replies: family; condition; temperature; variant; model
with scored as (
    select
        struct_pack(family, condition, temperature, variant, model, is_person) as cell,
        cluster,
        score,
        false as is_tied
    from metric.people
    union all by name
    select
        struct_pack(
            family, condition, temperature, variant, model := 'human/majority', is_person := true
        ) as cell,
        cluster, score, is_tied
    from twin.people
),

ties as (
    select
        cell,
        count(*) filter (where is_tied) as n_tied
    from scored
    group by cell
)

select
    unnest(shares.cell),
    n,
    n_episodes,
    if(shares.cell.model = 'human/majority', n_tied, null) as n_tied,
    estimate, ci_low, ci_high
from macro.clustered_shares(scored) as shares
inner join ties using (cell)
where n > 0
