-- grain: one row per model, temperature, setting, frame, paradigm, task_set, route, baseline
-- Experiment 9: routing whole domains against routing single parts (arXiv 2604.19809, Tables 10 and
-- 11). `frame`: uninformed (C1), or pooled with what was told its own scores (C1+C2); `paradigm`
-- "all" pools them. `weak_cfr`: weak-domain parts neither escalated nor right, of those that a key
-- decides. `none`: nothing is escalated. `domain`: weak domains are. As many
-- parts, least sure first: `confidence`, by hedges, 1 / (1 + n); `self_consistency`, by how many of
-- the other repetitions give that answer (NULL without any); `calibrated`, by the share right at
-- that number of hedges in the other half. `conformal`: confidences up to a quantile of the wrong
-- answers' in the other half (set variable conformal_alpha = 0.1), its own share. Of parts equally
-- sure each is as likely to be escalated. Halves: every other task. A part without an answer is
-- wrong here, as it is left to nobody. A part counts once, as the mean of its repetitions.
with replies as (
    select
        * exclude (answer),
        coalesce(1 - correct, 1) as wrong,
        1 / (1 + coalesce(n_hedges, 0)) as confidence,
        (count(*) over same_answer - 1) / nullif(count(*) over same_part - 1, 0) as agreement
    from agency.metacog_parts
    where
        information in ('C1', 'C2') and policy = 'median_or_bottom_k'
        and weak is not null and decided
    window
        same_part as (
            partition by
                model, temperature, setting, information, paradigm, task_set, route, cluster, part,
                domain
        ),
        same_answer as (
            partition by
                model, temperature, setting, information, paradigm, task_set, route, cluster, part,
                domain, answer
        )
),

pooled as (
    select * replace (unnest([paradigm, 'all']) as paradigm)
    from replies
),

framed as (
    select
        *,
        unnest(if(information = 'C1', ['C1', 'C1+C2'], ['C1+C2'])) as frame
    from pooled
),

means as (
    select
        family,
        model,
        temperature,
        setting,
        frame,
        paradigm,
        task_set,
        route,
        weak,
        cluster,
        part,
        domain,
        min(scene_seed) as scene_seed,
        -- Rounded, so that the mean of equal figures is that figure.
        round(avg(wrong), 9) as wrong,
        round(avg(confidence), 9) as confidence,
        round(avg(agreement), 9) as agreement
    from framed
    group by
        family, model, temperature, setting, frame, paradigm, task_set, route, weak, cluster, part,
        domain
),

parts as (
    select
        *,
        dense_rank() over (
            partition by model, temperature, setting, frame, paradigm, task_set, route
            order by scene_seed
        ) % 2 as parity,
        count(*) filter (where weak) over (
            partition by model, temperature, setting, frame, paradigm, task_set, route
        ) as budget
    from means
),

levels as (
    select
        model,
        temperature,
        setting,
        frame,
        paradigm,
        task_set,
        route,
        parity,
        confidence,
        (sum(1 - wrong) + 1) / (count(*) + 2) as calibrated
    from parts
    group by all
),

wrong_ones as (
    select
        model,
        temperature,
        setting,
        frame,
        paradigm,
        task_set,
        route,
        parity,
        coalesce(list(confidence order by confidence) filter (where wrong >= 0.5), []) as sorted,
        ceil(round(
            (sum(wrong) + 1) * (1 - coalesce(getvariable('conformal_alpha'), 0.1)::double), 9
        ))::bigint as place
    from parts
    group by all
),

scored as (
    select
        parts.family,
        parts.model,
        parts.temperature,
        parts.setting,
        parts.frame,
        parts.paradigm,
        parts.task_set,
        parts.route,
        parts.weak,
        parts.wrong,
        unnest([
            {'baseline': 'none', 'score': 1::double, 'allowed': 0::hugeint},
            {'baseline': 'domain', 'score': 1::double - parts.weak::integer, 'allowed': budget},
            {'baseline': 'confidence', 'score': parts.confidence, 'allowed': budget},
            {
                'baseline': 'self_consistency',
                'score': agreement,
                'allowed': budget
            },
            {
                'baseline': 'calibrated',
                -- A level that the other half has not is an even chance.
                'score': coalesce(levels.calibrated, 0.5),
                'allowed': budget
            },
            {
                'baseline': 'conformal',
                -- Too few wrong answers to tell: nothing goes ahead.
                'score': if(
                    wrong_ones.place between 1 and len(wrong_ones.sorted),
                    (parts.confidence > wrong_ones.sorted[wrong_ones.place])::integer,
                    0
                )::double,
                'allowed': null
            }
        ], recursive := true)
    from parts
    left join levels
        on
            parts.model = levels.model
            and parts.temperature is not distinct from levels.temperature
            and parts.setting = levels.setting
            and parts.frame = levels.frame
            and parts.paradigm = levels.paradigm
            and parts.task_set = levels.task_set
            and parts.route = levels.route
            and parts.parity = 1 - levels.parity
            and parts.confidence = levels.confidence
    left join wrong_ones
        on
            parts.model = wrong_ones.model
            and parts.temperature is not distinct from wrong_ones.temperature
            and parts.setting = wrong_ones.setting
            and parts.frame = wrong_ones.frame
            and parts.paradigm = wrong_ones.paradigm
            and parts.task_set = wrong_ones.task_set
            and parts.route = wrong_ones.route
            and parts.parity = 1 - wrong_ones.parity
),

ties as (
    select
        family,
        model,
        temperature,
        setting,
        frame,
        paradigm,
        task_set,
        route,
        baseline,
        score,
        -- Conformal escalates all that it doubts.
        if(
            baseline = 'conformal', sum(count(*) filter (where score = 0)) over subject, allowed
        ) as allowed,
        count(*) as n,
        count(*) filter (where weak) as n_weak,
        coalesce(sum(wrong) filter (where weak), 0) as n_wrong
    from scored
    group by
        family, model, temperature, setting, frame, paradigm, task_set, route, baseline, score,
        allowed
    window subject as (
        partition by model, temperature, setting, frame, paradigm, task_set, route, baseline
    )
),

taken as (
    select
        *,
        if(
            score is null, null, greatest(0, least(n, allowed - (sum(n) over earlier - n)))
        ) as escalated
    from ties
    window earlier as (
        partition by model, temperature, setting, frame, paradigm, task_set, route, baseline
        order by score
    )
),

rates as (
    select
        family,
        model,
        temperature,
        setting,
        frame,
        paradigm,
        task_set,
        route,
        baseline,
        sum(n)::bigint as n,
        sum(n_weak)::bigint as n_weak,
        if(count(escalated) = count(*), sum(escalated), null) / sum(n) as escalation,
        if(count(escalated) = count(*), sum(n_wrong * (1 - escalated / n)), null)
        / nullif(sum(n_weak), 0) as weak_cfr
    from taken
    group by family, model, temperature, setting, frame, paradigm, task_set, route, baseline
)

select
    *,
    1 - escalation as autonomy,
    1 - weak_cfr / nullif(max(weak_cfr) filter (where baseline = 'none') over (
        partition by model, temperature, setting, frame, paradigm, task_set, route
    ), 0) as reduction
from rates
