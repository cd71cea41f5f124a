-- grain: one row per model, temperature, setting, frame, paradigm, task_set, route, baseline
-- Experiment 9: routing whole domains against routing single parts (arXiv 2604.19809, Tables 10 and
-- 11). `frame`: uninformed (C1), or pooled with what was told its own scores (C1+C2); `paradigm`
-- "all" pools them. `weak_cfr`: weak-domain parts neither escalated nor right, of those that a key
-- decides. `none`: nothing is escalated. `domain`: weak domains are. As many
-- parts, least sure first: `confidence`, by hedges, 1 / (1 + n); `self_consistency`, by how many of
-- the other repetitions give that answer (NULL without any); `calibrated`, by a logistic fit to the
-- logit of the other half's confidences (Platt's targets, 25 steps of Newton's method; NULL where
-- that half is empty or nothing fits). `conformal`: confidences up to a quantile of the wrong
-- answers' in the other half (set variable conformal_alpha = 0.1), its own share. Of parts equally
-- sure each is as likely to be escalated. Halves: every other task. A part without an answer is
-- wrong here, as it is left to nobody. A part counts once, as the mean of its repetitions.
with recursive replies as (
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
            order by model, temperature, setting, frame, paradigm, task_set, route
        ) as subject,
        dense_rank() over (
            partition by model, temperature, setting, frame, paradigm, task_set, route
            order by scene_seed
        ) % 2 as parity,
        count(*) filter (where weak) over (
            partition by model, temperature, setting, frame, paradigm, task_set, route
        ) as budget
    from means
),

-- The published code fits to the logit of the confidence, kept off 0 and 1 by 1e-6.
logits as (
    select
        subject,
        parity,
        ln(kept / (1 - kept)) as logit,
        count(*) as n,
        sum(wrong) as n_wrong
    from (
        select *, least(1 - 1e-6, greatest(1e-6, confidence)) as kept
        from parts
    )
    group by subject, parity, kept
),

targets as (
    select
        subject,
        parity,
        logit,
        n,
        (n - n_wrong) * (sum(n - n_wrong) over half + 1) / (sum(n - n_wrong) over half + 2)
        + n_wrong / (sum(n_wrong) over half + 2) as n_right
    from logits
    window half as (partition by subject, parity)
),

newton as (
    select distinct
        subject,
        parity,
        0 as turn,
        0::double as base,
        0::double as slope
    from targets

    union all

    select
        subject,
        parity,
        turn + 1 as turn,
        base + (curve_slope * pull - curve_both * pull_slope) / bend as base,
        slope + (curve * pull_slope - curve_both * pull) / bend as slope
    from (
        select
            *,
            curve * curve_slope - curve_both ** 2 as bend
        from (
            -- The ridge keeps the slope at 0 where all confidences are the same.
            select
                subject,
                parity,
                turn,
                base,
                slope,
                sum(n_right - n * chance) as pull,
                sum((n_right - n * chance) * logit) - 1e-4 * slope as pull_slope,
                sum(n * chance * (1 - chance)) as curve,
                sum(n * chance * (1 - chance) * logit) as curve_both,
                sum(n * chance * (1 - chance) * logit ** 2) + 1e-4 as curve_slope
            from (
                select
                    newton.*,
                    targets.* exclude (subject, parity),
                    1 / (1 + exp(-base - slope * logit)) as chance
                from newton
                inner join targets
                    on newton.subject = targets.subject and newton.parity = targets.parity
                where turn < 25
            )
            group by subject, parity, turn, base, slope
        )
    )
),

wrong_ones as (
    select
        subject,
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
                'score': round(1 / (1 + exp(
                    -newton.base - newton.slope
                    * ln(least(1 - 1e-6, greatest(1e-6, parts.confidence))
                        / (1 - least(1 - 1e-6, greatest(1e-6, parts.confidence))))
                )), 9),
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
    left join newton
        on
            parts.subject = newton.subject
            and parts.parity = 1 - newton.parity
            and newton.turn = 25
    left join wrong_ones
        on parts.subject = wrong_ones.subject and parts.parity = 1 - wrong_ones.parity
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
