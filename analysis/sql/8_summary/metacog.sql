-- grain: one row per family, model, temperature, setting, metric
-- Every metric of arXiv 2604.19809 that describes a model, as one number with its n: Table 4 is a
-- pivot of it. Experiment 9's are those of fixed tasks, the autonomous paradigm and the weak-domain
-- policy of the paper (set variable weak_policy = 'threshold'). Undefined is NULL.
with atlas as (
    select
        family,
        model,
        temperature,
        setting,
        count(accuracy) filter (where channel = 'natural') as n_natural,
        avg(accuracy) filter (where channel = 'natural') as natural_accuracy,
        count(accuracy) filter (where channel = 'wagering') as n_wagering,
        avg(accuracy) filter (where channel = 'wagering') as wagering_accuracy
    from episode.metacog
    where experiment = 'exp1'
    group by all
),

gaps as (
    select family, model, temperature, setting, count(gap) as n, avg(gap) as gap
    from metric.metacog_domains
    group by all
),

convergence as (
    select family, model, temperature, setting, count(spearman) as n, avg(spearman) as mci
    from metric.metacog_convergence
    group by all
),

calibration as (
    select
        family,
        model,
        temperature,
        setting,
        sum(n) as n_bets,
        sum(n * abs(confidence - accuracy)) / sum(n) as ece,
        sum(n * brier) / sum(n) as brier
    from metric.metacog_reliability
    group by family, model, temperature, setting
),

transfer as (
    select family, model, temperature, setting, count(spearman) as n, avg(abs(spearman)) as tii
    from metric.metacog_domains_transfer
    group by all
),

composition as (
    select
        family,
        model,
        temperature,
        setting,
        count(cce_code) as n_code,
        avg(cce_code) as cce_code,
        count(cce_printed) as n_printed,
        avg(cce_printed) as cce_printed
    from metric.metacog_composition
    group by family, model, temperature, setting
),

feedback as (
    select
        family,
        model,
        temperature,
        setting,
        any_value(n) filter (where feedback = 'true') as n_true,
        any_value(n) filter (where feedback = 'false') as n_false,
        any_value(adaptation_index) filter (where feedback = 'true') as ai_true,
        any_value(adaptation_index) filter (where feedback = 'false') as ai_false
    from metric.metacog_feedback
    group by family, model, temperature, setting
),

attacks as (
    select family, model, temperature, setting, count(robustness) as n, avg(robustness) as ars
    from metric.metacog_attacks
    group by all
),

agentic as (
    select
        family,
        model,
        temperature,
        setting,
        max(n_weak) as n_weak,
        any_value(cfr) filter (where information = 'C1') as cfr_c1,
        any_value(cfr) filter (where information = 'C2') as cfr_c2,
        any_value(cfr) filter (where information = 'C3') as cfr_c3,
        any_value(cfr) filter (where information = 'C4') as cfr_c4,
        any_value(autonomy) filter (where information = 'C1') as autonomy_c1
    from agency.metacog_parts_outcomes
    where
        task_set = 'fixed' and paradigm = 'autonomous'
        and policy = coalesce(getvariable('weak_policy'), 'median_or_bottom_k')
    group by family, model, temperature, setting
),

models as (
    select distinct family, model, temperature, setting
    from episode.metacog
),

wide as (
    select
        models.*,
        atlas.* exclude (family, model, temperature, setting),
        gaps.n as n_domains,
        gaps.gap,
        convergence.n as n_channel_pairs,
        convergence.mci,
        calibration.n_bets,
        calibration.ece,
        calibration.brier,
        transfer.n as n_channels,
        transfer.tii,
        composition.* exclude (family, model, temperature, setting),
        feedback.n_true,
        feedback.n_false,
        feedback.ai_true,
        feedback.ai_false,
        attacks.n as n_attacks,
        attacks.ars,
        ecosystem.* exclude (family, model, temperature, setting),
        agentic.* exclude (family, model, temperature, setting)
    from models
    left join atlas
        on
            models.model = atlas.model
            and models.temperature is not distinct from atlas.temperature
            and models.setting = atlas.setting
    left join gaps
        on
            models.model = gaps.model
            and models.temperature is not distinct from gaps.temperature
            and models.setting = gaps.setting
    left join convergence
        on
            models.model = convergence.model
            and models.temperature is not distinct from convergence.temperature
            and models.setting = convergence.setting
    left join calibration
        on
            models.model = calibration.model
            and models.temperature is not distinct from calibration.temperature
            and models.setting = calibration.setting
    left join transfer
        on
            models.model = transfer.model
            and models.temperature is not distinct from transfer.temperature
            and models.setting = transfer.setting
    left join composition
        on
            models.model = composition.model
            and models.temperature is not distinct from composition.temperature
            and models.setting = composition.setting
    left join feedback
        on
            models.model = feedback.model
            and models.temperature is not distinct from feedback.temperature
            and models.setting = feedback.setting
    left join attacks
        on
            models.model = attacks.model
            and models.temperature is not distinct from attacks.temperature
            and models.setting = attacks.setting
    left join metric.metacog_ecosystem as ecosystem
        on
            models.model = ecosystem.model
            and models.temperature is not distinct from ecosystem.temperature
            and models.setting = ecosystem.setting
    left join agentic
        on
            models.model = agentic.model
            and models.temperature is not distinct from agentic.temperature
            and models.setting = agentic.setting
)

select
    family,
    model,
    temperature,
    setting,
    unnest([
        {'metric': 'natural_accuracy', 'n': n_natural::bigint, 'estimate': natural_accuracy},
        {'metric': 'wagering_accuracy', 'n': n_wagering::bigint, 'estimate': wagering_accuracy},
        {'metric': 'gap', 'n': n_domains::bigint, 'estimate': gap},
        {'metric': 'mci', 'n': n_channel_pairs::bigint, 'estimate': mci},
        {'metric': 'ece', 'n': n_bets::bigint, 'estimate': ece},
        {'metric': 'brier', 'n': n_bets::bigint, 'estimate': brier},
        {'metric': 'tii', 'n': n_channels::bigint, 'estimate': tii},
        {'metric': 'cce_printed', 'n': n_printed::bigint, 'estimate': cce_printed},
        {'metric': 'cce_code', 'n': n_code::bigint, 'estimate': cce_code},
        {'metric': 'ai_true', 'n': n_true::bigint, 'estimate': ai_true},
        {'metric': 'ai_false', 'n': n_false::bigint, 'estimate': ai_false},
        {
            'metric': 'sar',
            'n': (n_true + n_false)::bigint,
            -- The published ratio explodes where true feedback moves nothing.
            'estimate': if(abs(ai_true) > 1e-9, ai_false / ai_true, null)
        },
        {'metric': 'ars', 'n': n_attacks::bigint, 'estimate': ars},
        {'metric': 'ssr', 'n': n_judged::bigint, 'estimate': ssr},
        {'metric': 'fdr', 'n': n_flawed::bigint, 'estimate': fdr},
        {'metric': 'false_positive_rate', 'n': n_sound::bigint, 'estimate': false_positive_rate},
        {'metric': 'given_up_rate', 'n': n_pressed::bigint, 'estimate': given_up_rate},
        {'metric': 'cfr_c1', 'n': n_weak::bigint, 'estimate': cfr_c1},
        {'metric': 'cfr_c2', 'n': n_weak::bigint, 'estimate': cfr_c2},
        {'metric': 'cfr_c3', 'n': n_weak::bigint, 'estimate': cfr_c3},
        {'metric': 'cfr_c4', 'n': n_weak::bigint, 'estimate': cfr_c4},
        {'metric': 'autonomy_c1', 'n': n_weak::bigint, 'estimate': autonomy_c1},
        {'metric': 'kdi', 'n': n_weak::bigint, 'estimate': gap - (1 - cfr_c1)}
    ], recursive := true)
from wide
