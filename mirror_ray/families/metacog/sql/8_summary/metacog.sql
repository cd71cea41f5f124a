-- grain: one row per family, model, temperature, setting, metric
-- Every metric of arXiv 2604.19809 that describes a model, as one number with its n of questions
-- (domains, channels, attacks, parts of tasks); Table 4 is a pivot of it. Experiment 9's are over
-- all paradigms, for fixed tasks and, as `tailored_…`, for tasks tailored to the model. Weak
-- domains are the paper's (or set variable weak_policy = 'below_0.5'); of several routes the
-- median's counts, else the first. Undefined values are NULL.
-- replies: model; temperature; setting; macro.metacog_experiment(metric) = experiment
with atlas as (
    select
        struct_pack(family, model, temperature, setting) as cell,
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
    select
        struct_pack(family, model, temperature, setting) as cell,
        count(gap) as n_domains,
        avg(gap) as gap
    from metric.metacog_domains
    group by all
),

convergence as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        count(spearman) as n_channel_pairs,
        avg(spearman) as mci
    from metric.metacog_convergence
    group by all
),

calibration as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        sum(n_episodes * abs(confidence - accuracy)) / sum(n_episodes) as ece,
        sum(n_episodes * brier) / sum(n_episodes) as brier
    from metric.metacog_reliability
    group by all
),

transfer as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        count(spearman) as n_channels,
        avg(abs(spearman)) as tii
    from metric.metacog_domains_transfer
    group by all
),

composition as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        count(distinct cluster) filter (where cce_code is not null) as n_code,
        avg(cce_code) as cce_code,
        count(distinct cluster) filter (where cce_printed is not null) as n_printed,
        avg(cce_printed) as cce_printed
    from metric.metacog_composition
    group by all
),

feedback as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        any_value(n_tools) filter (where feedback = 'true') as n_tools_true,
        any_value(n_tools) filter (where feedback = 'false') as n_tools_false,
        any_value(adaptation_index_tools) filter (where feedback = 'true') as ai_true_tools,
        any_value(adaptation_index_tools) filter (where feedback = 'false') as ai_false_tools,
        any_value(n) filter (where feedback = 'true') as n_true,
        any_value(n) filter (where feedback = 'false') as n_false,
        any_value(adaptation_index) filter (where feedback = 'true') as ai_true,
        any_value(adaptation_index) filter (where feedback = 'false') as ai_false
    from metric.metacog_feedback
    group by all
),

attacks as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        count(robustness) as n_attacks,
        avg(robustness) as ars
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
        struct_pack(family, model, temperature, setting) as cell,
        struct_pack(family, model, temperature, setting := any_value(known_setting)) as known_cell,
        max(n_weak) filter (where task_set = 'fixed') as n_weak,
        max(n_weak) filter (where task_set = 'tailored') as n_weak_tailored,
        map(list(task_set || ' ' || information), list(cfr)) as cfrs,
        any_value(cfr_conservative) filter (
            where information = 'C1' and task_set = 'fixed'
        ) as cfr_conservative_c1,
        any_value(autonomy) filter (
            where information = 'C1' and task_set = 'fixed'
        ) as autonomy_c1
    from pooled
    group by family, model, temperature, setting
),

ecosystem as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        *
    from metric.metacog_ecosystem
),

models as (
    select distinct struct_pack(family, model, temperature, setting) as cell
    from episode.metacog
)

select
    unnest(models.cell),
    unnest([
        {'metric': 'natural_accuracy', 'n': n_natural::bigint, 'estimate': natural_accuracy},
        {'metric': 'wagering_accuracy', 'n': n_wagering::bigint, 'estimate': wagering_accuracy},
        {'metric': 'gap', 'n': gaps.n_domains::bigint, 'estimate': gaps.gap},
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
            -- The published ratio explodes if true feedback moves nothing.
            'estimate': if(abs(ai_true) > 1e-9, ai_false / ai_true, null)
        },
        {'metric': 'ars', 'n': n_attacks::bigint, 'estimate': ars},
        {'metric': 'ssr', 'n': n_judged::bigint, 'estimate': ssr},
        {'metric': 'fdr', 'n': n_flawed::bigint, 'estimate': fdr},
        {'metric': 'false_positive_rate', 'n': n_sound::bigint, 'estimate': false_positive_rate},
        {'metric': 'given_up_rate', 'n': n_pressed::bigint, 'estimate': given_up_rate},
        {'metric': 'cfr_c1', 'n': n_weak::bigint, 'estimate': cfrs['fixed C1']},
        {'metric': 'cfr_c2', 'n': n_weak::bigint, 'estimate': cfrs['fixed C2']},
        {'metric': 'cfr_c3', 'n': n_weak::bigint, 'estimate': cfrs['fixed C3']},
        {'metric': 'cfr_c4', 'n': n_weak::bigint, 'estimate': cfrs['fixed C4']},
        {'metric': 'autonomy_c1', 'n': n_weak::bigint, 'estimate': autonomy_c1},
        {'metric': 'cfr_conservative_c1', 'n': n_weak::bigint, 'estimate': cfr_conservative_c1},
        {'metric': 'cfr_c2_false', 'n': n_weak::bigint, 'estimate': cfrs['fixed C2 false']},
        {
            'metric': 'tailored_cfr_c1',
            'n': n_weak_tailored::bigint,
            'estimate': cfrs['tailored C1']
        },
        {
            'metric': 'tailored_cfr_c2',
            'n': n_weak_tailored::bigint,
            'estimate': cfrs['tailored C2']
        },
        {
            'metric': 'tailored_cfr_c3',
            'n': n_weak_tailored::bigint,
            'estimate': cfrs['tailored C3']
        },
        {
            'metric': 'tailored_cfr_c4',
            'n': n_weak_tailored::bigint,
            'estimate': cfrs['tailored C4']
        },
        {'metric': 'kdi', 'n': n_weak::bigint, 'estimate': known.gap - (1 - cfrs['fixed C1'])}
    ], recursive := true)
from models
left join atlas on models.cell = atlas.cell
left join gaps on models.cell = gaps.cell
left join convergence on models.cell = convergence.cell
left join calibration on models.cell = calibration.cell
left join transfer on models.cell = transfer.cell
left join composition on models.cell = composition.cell
left join feedback on models.cell = feedback.cell
left join attacks on models.cell = attacks.cell
left join ecosystem on models.cell = ecosystem.cell
left join agentic on models.cell = agentic.cell
-- From the setting of experiment 1 that describes the model, which may use another bank.
left join gaps as known on agentic.known_cell = known.cell
