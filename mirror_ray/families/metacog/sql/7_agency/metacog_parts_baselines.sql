-- grain: one row per model, temperature, setting, frame, paradigm, task_set, route, baseline
-- Experiment 9: routing whole domains against routing single parts (arXiv 2604.19809, Tables 10 and
-- 11). `frame`: uninformed (C1), or pooled with what was told its own scores (C1+C2); `paradigm`
-- "all" pools them. `weak_cfr`: weak-domain parts neither escalated nor right, of those that a key
-- decides. `none`: nothing is escalated. `domain`: weak domains are. As many parts, least sure
-- first: `confidence`, by hedges, 1 / (1 + n); `self_consistency`, by how many of the other
-- repetitions give that answer (NULL without any); `calibrated`, by a logistic fit to the logit of
-- the other half's confidences (macro.metacog_platt; NULL if that half is empty or nothing fits).
-- `conformal`: confidences up to a quantile of the wrong answers' in the other half (set variable
-- conformal_alpha = 0.1), with its own share. Equally sure parts are equally likely to be
-- escalated. Halves: every other task. A part without an answer is wrong here, because nobody
-- resolves it. A part counts once, as the mean of its repetitions.
-- replies: where experiment = 'exp9'
with replies as (
    select
        *,
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
        struct_pack(
            family, model, temperature, setting, frame, paradigm, task_set, route
        ) as subject,
        weak, cluster, part, domain,
        min(scene_seed) as scene_seed,
        -- Rounded, so that the mean of equal figures is that figure.
        round(avg(wrong), 9) as wrong,
        round(avg(confidence), 9) as confidence,
        round(avg(agreement), 9) as agreement
    from framed
    group by all
),

parts as (
    select
        *,
        -- The published code fits to the logit of the confidence, limited to 1e-6 from 0 and 1.
        least(1 - 1e-6, greatest(1e-6, confidence)) as kept,
        ln(kept / (1 - kept)) as x,
        dense_rank() over (partition by subject order by scene_seed) % 2 as parity,
        count(*) filter (where weak) over (partition by subject) as budget
    from means
),

logits as (
    select
        subject, parity, x,
        count(*) as n,
        sum(wrong) as n_wrong
    from parts
    group by all
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

ranked as (
    select
        parts.subject, parts.weak, parts.wrong,
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
                    -fits.base - fits.slope * parts.x
                )), 9),
                'allowed': budget
            },
            {
                'baseline': 'conformal',
                -- Too few wrong answers to decide: nothing passes.
                'score': if(
                    wrong_ones.place between 1 and len(wrong_ones.sorted),
                    (parts.confidence > wrong_ones.sorted[wrong_ones.place])::integer,
                    0
                )::double,
                'allowed': null
            }
        ], recursive := true)
    from parts
    left join macro.metacog_platt(logits, 1e-4) as fits
        on parts.subject = fits.subject and parts.parity = 1 - fits.parity
    left join wrong_ones
        on parts.subject = wrong_ones.subject and parts.parity = 1 - wrong_ones.parity
),

scored as (
    select
        subject, baseline, score,
        -- Conformal escalates everything below its threshold.
        if(
            baseline = 'conformal',
            sum(count(*) filter (where score = 0)) over (partition by subject, baseline),
            allowed
        ) as allowed,
        count(*) as n,
        count(*) filter (where weak) as n_of,
        coalesce(sum(wrong) filter (where weak), 0) as n_wrong,
        count(*) as n_episodes
    from ranked
    group by subject, baseline, score, ranked.allowed
)

select
    subject.*,
    baseline,
    n::bigint as n,
    n_of::bigint as n_weak,
    escalation,
    rate as weak_cfr,
    1 - escalation as autonomy,
    1 - rate / nullif(
        max(rate) filter (where baseline = 'none') over (partition by subject), 0
    ) as reduction
from macro.metacog_escalated(scored)
