-- grain: one row per model, judge, experiment, rubric, key_kind
-- Agreement of judge and rules: `agreement` over the readings that both have (`n_episodes`), of `n`
-- tasks, each counted once (Wilson's interval on their effective number); Cohen's kappa. Also what
-- is unread (`n_unread`: the judge's reply was no verdict, or its episode failed) and what no rule
-- can decide (`n_open`).
-- replies: model
with readings as (
    select
        struct_pack(model, judge, experiment, rubric, key_kind) as cell,
        md5(task || part) as cluster,
        rules,
        verdict,
        rules is not null and verdict is not null as is_both,
        (rules = verdict)::integer as score
    from episode.metacog_readings_judged
),

gaps as (
    select
        cell,
        count(*) filter (where verdict is null) as n_unread,
        count(*) filter (where rules is null) as n_open
    from readings
    group by cell
),

words as (
    select
        cell,
        word,
        count(*) filter (where rules = word) as of_rules,
        count(*) filter (where verdict = word) as of_judge
    from readings
    cross join (
        select unnest([
            'CORRECT', 'INCORRECT', 'NO_ANSWER', 'PUSHBACK', 'CAVEAT', 'EXECUTION', 'REFUSAL'
        ]) as word
    )
    where is_both
    group by cell, word
),

chances as (
    select
        cell,
        -- Each reading has one term from each.
        sum(of_rules * of_judge) / sum(of_rules) ** 2 as by_chance
    from words
    group by cell
)

select
    unnest(shares.cell),
    n,
    n_episodes,
    estimate as agreement,
    ci_low,
    ci_high,
    (estimate - by_chance) / nullif(1 - by_chance, 0) as kappa,
    n_unread,
    n_open
from macro.clustered_shares(readings) as shares
inner join gaps on shares.cell = gaps.cell
left join chances on shares.cell = chances.cell
