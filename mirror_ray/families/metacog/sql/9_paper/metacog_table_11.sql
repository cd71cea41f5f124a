-- grain: one row per temperature, setting, route, frame, strategy
-- arXiv 2604.19809, Table 11: routing whole domains against routing single parts, all paradigms,
-- uninformed (C1) and pooled with C2; fixed tasks, means over models. Strategies are those of Table
-- 10, read in the same way.
with printed as (
    select *
    from (
        values
            ('C1', 'domain', 0.0e0, 1.0e0, 0.516e0, 0.484e0),
            ('C1', 'confidence', 0.317, 0.498, 0.516, 0.484),
            ('C1', 'self_consistency', 0.323, 0.489, 0.516, 0.484),
            ('C1', 'calibrated', 0.302, 0.521, 0.516, 0.484),
            ('C1', 'conformal', 0.016, 0.938, 0.062, 0.938),
            ('C1+C2', 'domain', 0.0, 1.0, 0.517, 0.483),
            ('C1+C2', 'confidence', 0.316, 0.507, 0.517, 0.483),
            ('C1+C2', 'self_consistency', 0.310, 0.521, 0.517, 0.483),
            ('C1+C2', 'calibrated', 0.305, 0.520, 0.517, 0.483),
            ('C1+C2', 'conformal', 0.016, 0.938, 0.062, 0.938)
    ) as of_table (frame, baseline, weak_cfr, cfr_reduction, autonomy, escalation)
),

strategies as (
    select *
    from (
        values
            (1, 'domain', 'MIRROR domain routing'),
            (2, 'confidence', 'Confidence threshold (budget-matched)'),
            (3, 'self_consistency', 'Self-consistency proxy (budget-matched)'),
            (4, 'calibrated', 'Calibrated confidence (transformed-Platt, budget-matched)'),
            (5, 'conformal', 'Conformal-style target-error thresholding')
    ) as of_table (place, baseline, strategy)
),

means as (
    select
        temperature,
        setting,
        route,
        frame,
        baseline,
        count(weak_cfr) as n_models,
        avg(weak_cfr) as weak_cfr,
        avg(reduction) as cfr_reduction,
        avg(autonomy) as autonomy,
        avg(escalation) as escalation
    from agency.metacog_parts_baselines
    where paradigm = 'all' and task_set = 'fixed'
    group by all
)

select
    means.temperature,
    means.setting,
    means.route,
    means.frame,
    strategies.strategy,
    means.weak_cfr,
    means.cfr_reduction,
    means.autonomy,
    means.escalation,
    means.n_models,
    struct_pack(
        weak_cfr := printed.weak_cfr,
        cfr_reduction := printed.cfr_reduction,
        autonomy := printed.autonomy,
        escalation := printed.escalation
    ) as reference,
    'arXiv 2604.19809, Table 11' as cited
from means
inner join strategies on means.baseline = strategies.baseline
inner join printed on means.frame = printed.frame and means.baseline = printed.baseline
order by
    means.setting,
    means.temperature,
    means.route,
    means.frame,
    strategies.place
