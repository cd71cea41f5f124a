-- grain: one row per family, condition, temperature, variant, metric, model
-- Ties between models. Two models differ if their paired difference is significant after Holm's
-- correction (p_holm < 0.05), or `until` decided so (told_apart of contrast.pairs); not if no test
-- could be made. `tied`: not significantly different from the best model of its condition,
-- temperature and variant. `letters`: two models share one exactly if they do not differ (Piepho
-- 2004, insert and absorb); "a" has the best. NULL in tables of more than 120 models. The best has
-- the best estimate over its own episodes of `n` units, the first by name if equal. Only metrics
-- with a better direction, and only models of which at least half of the replies were read.
-- replies: family; condition; temperature; variant; model
with recursive hardly_read as (
    select struct_pack(family, condition, model, temperature, variant) as cell
    from metric.replies
    where 2 * n_read < n_replies
),

models as (
    select
        {cell},
        metric,
        any_value(direction) as direction,
        count(distinct cluster) filter (where score is not null) as n,
        avg(score) as estimate
    from metric.scores
    where
        direction is not null
        and struct_pack(family, condition, model, temperature, variant) not in (from hardly_read)
    group by family, condition, model, temperature, variant, metric
    having count(score) > 0
),

ranked as (
    select
        *,
        dense_rank() over (
            order by family, condition, temperature, variant, metric
        ) as board,
        count(*) over own as n_models,
        rank() over (own order by direction * estimate desc) as rank,
        row_number() over (own order by direction * estimate desc, model) as place,
        first_value(model) over (own order by direction * estimate desc, model) as best_model
    from models
    window own as (partition by family, condition, temperature, variant, metric)
),

-- A model is a bit, a group of models a number.
seated as (
    select
        *,
        1::hugeint << (place - 1)::hugeint as seat
    from ranked
    where n_models <= 120
),

apart as (
    select
        ahead.board,
        ahead.seat as one,
        behind.seat as other,
        row_number() over (
            partition by ahead.board order by ahead.place, behind.place
        ) as turn
    from seated as ahead
    inner join seated as behind on ahead.board = behind.board and ahead.place < behind.place
    inner join contrast.pairs as tests
        on
            tests.axis = 'model'
            and tests.told_apart
            and ahead.family = tests.family
            and ahead.condition = tests.condition
            and ahead.temperature is not distinct from tests.temperature
            and ahead.variant = tests.variant
            and ahead.metric = tests.metric
            and least(ahead.model, behind.model) = tests.baseline
            and greatest(ahead.model, behind.model) = tests.value
),

-- All models begin in one group. Each differing pair splits the groups that contain both; a group
-- within another one is dropped.
splits as (
    select
        board,
        0::bigint as turn,
        [sum(seat)::hugeint] as groups
    from seated
    group by board

    union all

    select
        board,
        turn,
        list_filter(
            list_distinct(parts),
            lambda part: len(
                list_filter(parts, lambda whole: whole <> part and (whole & part) = part)
            ) = 0
        ) as groups
    from (
        select
            splits.board,
            apart.turn,
            flatten(list_transform(
                splits.groups,
                lambda held: if(
                    (held & (one + other)) = one + other, [held - one, held - other], [held]
                )
            )) as parts
        from splits
        inner join apart on splits.board = apart.board and splits.turn + 1 = apart.turn
    )
),

members as (
    select
        seated.board, seated.place, held.members,
        min(seated.place) over among as first_place,
        max(seated.place) over among as last_place
    from (
        select
            board,
            unnest(groups) as members
        from splits
        qualify turn = max(turn) over (partition by board)
    ) as held
    inner join seated on held.board = seated.board and (held.members & seated.seat) > 0
    window among as (partition by held.board, held.members)
),

lettered as (
    select
        board,
        place,
        dense_rank() over (
            partition by board order by first_place, last_place, members
        ) - 1 as letter
    from members
),

spelled as (
    select
        board,
        place,
        string_agg(
            chr((97 + letter % 26)::integer) || coalesce(nullif(letter // 26, 0)::varchar, ''),
            ''
            order by letter
        ) as letters
    from lettered
    group by board, place
)

select
    ranked.family, ranked.condition, ranked.temperature, ranked.variant, ranked.metric,
    ranked.model, ranked.direction, ranked.n, ranked.estimate, ranked.rank, ranked.best_model,
    if(tests.baseline = ranked.model, 1, -1) * tests.difference as behind_best,
    tests.n as n_shared,
    tests.p,
    tests.p_holm,
    not coalesce(tests.told_apart, false) as tied,
    spelled.letters
from ranked
left join spelled on ranked.board = spelled.board and ranked.place = spelled.place
left join contrast.pairs as tests
    on
        tests.axis = 'model'
        and ranked.family = tests.family
        and ranked.condition = tests.condition
        and ranked.temperature is not distinct from tests.temperature
        and ranked.variant = tests.variant
        and ranked.metric = tests.metric
        and least(ranked.model, ranked.best_model) = tests.baseline
        and greatest(ranked.model, ranked.best_model) = tests.value
