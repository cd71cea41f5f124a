-- grain: one row per family, condition, model, temperature, variant, run, n_options
-- Macro means of precision, recall and F1 within the questions of two and of four options, by run;
-- `run` NULL pools all runs. An answer that was never given has precision 0, as in "MirrorQA".
-- They are parts of estimates, which have n_replies.
with said as (
    select
        {cell},
        run,
        n_options,
        count(*) filter (where not failed) as n_episodes,
        count(distinct cluster) filter (where not failed) as n,
        list(answer order by episode_id) filter (where not failed) as answers,
        list(choice order by episode_id) filter (where not failed) as choices,
        if(
            n_options = 2,
            ['left', 'right'],
            ['left front', 'right front', 'left rear', 'right rear']
        ) as labels
    from episode.mirrorqa
    group by grouping sets (
        (family, condition, model, temperature, variant, n_options),
        (family, condition, model, temperature, variant, n_options, run)
    )
),

classes as (
    select
        * exclude (answers, choices, labels),
        list_transform(
            labels, lambda label: coalesce(macro.precision_of(label, answers, choices), 0)
        ) as precisions,
        list_transform(
            labels, lambda label: coalesce(macro.recall_of(label, answers, choices), 0)
        ) as recalls
    from said
)

select
    * exclude (precisions, recalls),
    if(n > 0, list_avg(precisions), null) as precision,
    if(n > 0, list_avg(recalls), null) as recall,
    if(n > 0, list_avg(list_transform(
        list_zip(precisions, recalls), lambda pair: macro.f1(pair[1], pair[2])
    )), null) as f1
from classes
