-- grain: one row per family, condition, model, temperature, variant, n_options, answer
-- Precision, recall and F1 of each answer among the questions with the same number of options
-- ("MirrorQA", evaluation). A reply that names no option is a miss of the right answer, and counts
-- for no other. NULL if the answer was never given, or never right. `n` pictures or scenes, with
-- any answer; n_asked and n_answered count replies.
with said as (
    select
        {cell},
        n_options,
        count(distinct cluster) as n,
        list(answer order by episode_id) as answers,
        list(choice order by episode_id) as choices
    from episode.mirrorqa
    where not failed
    group by family, condition, model, temperature, variant, n_options
),

classes as (
    select
        *,
        unnest(if(
            n_options = 2,
            ['left', 'right'],
            ['left front', 'right front', 'left rear', 'right rear']
        )) as answer
    from said
),

shares as (
    select
        * exclude (answers, choices),
        len(list_filter(answers, lambda one: one = answer)) as n_asked,
        len(list_filter(choices, lambda one: one = answer)) as n_answered,
        macro.precision_of(answer, answers, choices) as precision,
        macro.recall_of(answer, answers, choices) as recall
    from classes
)

select
    *,
    macro.f1(precision, recall) as f1
from shares
