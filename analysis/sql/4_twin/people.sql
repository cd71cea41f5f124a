-- grain: one row per family, condition, temperature, variant, scene_seed, run, shown
-- The vote of the people who played a scene: the most frequent answer, NULL if there is a tie or no
-- answer. `share` is of those who answered. `score` is that of the winning answer; a tie or no
-- answer scores 0, like a reply without an answer.
with answers as (
    select
        struct_pack(family, condition, temperature, variant, scene_seed, run, shown) as scene,
        answer,
        any_value(cluster) as cluster,
        any_value(gold) as gold,
        count(*) as n_votes,
        max(score) as score
    from metric.people
    where is_person
    group by scene, answer
),

scenes as (
    select
        scene,
        any_value(cluster) as cluster,
        any_value(gold) as gold,
        sum(n_votes)::bigint as n_people,
        coalesce(sum(n_votes) filter (where answer is not null), 0)::bigint as n_answered,
        max(n_votes) filter (where answer is not null) as n_votes,
        max(score) is not null as is_scored
    from answers
    group by scene
),

leaders as (
    select
        scenes.*,
        count(answers.answer) as n_leading,
        any_value(answers.answer) as leading_answer,
        any_value(answers.score) as leading_score
    from scenes
    left join answers
        on
            scenes.scene = answers.scene
            and scenes.n_votes = answers.n_votes
            and answers.answer is not null
    group by all
)

select
    scene.*,
    cluster,
    gold,
    n_people,
    n_answered,
    if(n_leading = 1, leading_answer, null) as vote,
    n_votes,
    n_votes / nullif(n_answered, 0) as share,
    n_leading > 1 as is_tied,
    case
        when not is_scored then null
        when n_leading = 1 then leading_score
        else 0
    end as score
from leaders
