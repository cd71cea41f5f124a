-- grain: one row per family, model, temperature, setting, metric
-- Every metric of arXiv 2604.19809 that describes a model, as one number with its n, of
-- questions (domains, channels, attacks, parts of tasks): Table 4 is a
-- pivot of it. Experiment 9's are over all paradigms, of fixed tasks and, as `tailored_…`, of tasks
-- tailored to the model; weak are the domains that are so by the route itself (set variable
-- weak_policy = 'threshold'): of several routes the median's, else the first. Undefined is NULL.
with atlas as (
    select
        family,
        model,
        temperature,
        setting,
        count(distinct cluster) filter (
            where channel = 'natural' and accuracy is not null
        ) as n_natural,
        avg(accuracy) filter (where channel = 'natural') as natural_accuracy,
        count(distinct cluster) filter (
            where channel = 'wagering' and accuracy is not null
        ) as n_wagering,
        count(distinct cluster) filter (
            where channel = 'wagering' and accuracy is not null and bet_share is not null
        ) as n_bets,
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
        sum(n_episodes * abs(confidence - accuracy)) / sum(n_episodes) as ece,
        sum(n_episodes * brier) / sum(n_episodes) as brier
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
        count(distinct cluster) filter (where cce_code is not null) as n_code,
        avg(cce_code) as cce_code,
        count(distinct cluster) filter (where cce_printed is not null) as n_printed,
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
        any_value(n_tools) filter (where feedback = 'true') as n_tools_true,
        any_value(n_tools) filter (where feedback = 'false') as n_tools_false,
        any_value(adaptation_index_tools) filter (where feedback = 'true') as ai_true_tools,
        any_value(adaptation_index_tools) filter (where feedback = 'false') as ai_false_tools,
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
    where in_ars
    group by all
),

pooled as (
    select *
    from agency.metacog_parts_outcomes
    where paradigm = 'all' and policy = macro.policy_of(route)
    qualify
        rank() over (
            partition by model, temperature, setting, task_set
            order by route <> 'median', route
        ) = 1
),

agentic as (
    select
        family,
        model,
        temperature,
        setting,
        any_value(known_setting) as known_setting,
        max(n_weak) filter (where task_set = 'fixed') as n_weak,
        max(n_weak) filter (where task_set = 'tailored') as n_weak_tailored,
        any_value(cfr) filter (
            where information = 'C1' and task_set = 'fixed'
        ) as cfr_c1,
        any_value(cfr) filter (
            where information = 'C2' and task_set = 'fixed'
        ) as cfr_c2,
        any_value(cfr) filter (
            where information = 'C3' and task_set = 'fixed'
        ) as cfr_c3,
        any_value(cfr) filter (
            where information = 'C4' and task_set = 'fixed'
        ) as cfr_c4,
        any_value(cfr) filter (
            where information = 'C1' and task_set = 'tailored'
        ) as tailored_cfr_c1,
        any_value(cfr) filter (
            where information = 'C2' and task_set = 'tailored'
        ) as tailored_cfr_c2,
        any_value(cfr) filter (
            where information = 'C3' and task_set = 'tailored'
        ) as tailored_cfr_c3,
        any_value(cfr) filter (
            where information = 'C4' and task_set = 'tailored'
        ) as tailored_cfr_c4,
        any_value(cfr_conservative) filter (
            where information = 'C1' and task_set = 'fixed'
        ) as cfr_conservative_c1,
        any_value(cfr) filter (
            where information = 'C2 false' and task_set = 'fixed'
        ) as cfr_c2_false,
        any_value(autonomy) filter (
            where information = 'C1' and task_set = 'fixed'
        ) as autonomy_c1
    from pooled
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
        known_gaps.gap as known_gap,
        feedback.n_tools_true,
        feedback.n_tools_false,
        feedback.ai_true_tools,
        feedback.ai_false_tools,
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
    -- Of the setting of experiment 1 that tells of the model, which may be on another bank.
    left join gaps as known_gaps
        on
            models.model = known_gaps.model
            and models.temperature is not distinct from known_gaps.temperature
            and agentic.known_setting = known_gaps.setting
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
        {'metric': 'ai_true_tools', 'n': n_tools_true::bigint, 'estimate': ai_true_tools},
        {'metric': 'ai_false_tools', 'n': n_tools_false::bigint, 'estimate': ai_false_tools},
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
        {
            'metric': 'cfr_conservative_c1',
            'n': n_weak::bigint,
            'estimate': cfr_conservative_c1
        },
        {'metric': 'cfr_c2_false', 'n': n_weak::bigint, 'estimate': cfr_c2_false},
        {
            'metric': 'tailored_cfr_c1',
            'n': n_weak_tailored::bigint,
            'estimate': tailored_cfr_c1
        },
        {
            'metric': 'tailored_cfr_c2',
            'n': n_weak_tailored::bigint,
            'estimate': tailored_cfr_c2
        },
        {
            'metric': 'tailored_cfr_c3',
            'n': n_weak_tailored::bigint,
            'estimate': tailored_cfr_c3
        },
        {
            'metric': 'tailored_cfr_c4',
            'n': n_weak_tailored::bigint,
            'estimate': tailored_cfr_c4
        },
        {'metric': 'kdi', 'n': n_weak::bigint, 'estimate': known_gap - (1 - cfr_c1)}
    ], recursive := true)
from wide
