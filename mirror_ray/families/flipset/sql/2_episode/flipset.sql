-- grain: one row per episode_id
-- The kind of an answer (arXiv 2602.15892): correct, egocentric, confusable, random, or fail if
-- none could be read. A column of that name is over all answers, x_of_errors over those that are
-- not correct (including fail); the paper uses both. L1 has no confusable option: NULL. Questions
-- handed over (channel opt_out) have no kind. An episode with an error has no scores. `cluster` is
-- the independent unit: a string, in all its layouts.
with answers as (
    select
        episodes.*,
        coalesce(episodes.item, 'scene ' || episodes.scene_seed) as cluster,
        steps.answer,
        steps.chosen_kind,
        steps.parse_status,
        episodes.error_kind <> 'none' as failed,
        list_contains(episodes.option_kinds, 'confusable') as has_confusable,
        if(episodes.error_kind = 'none', steps.chosen_kind, null) as scored
    from stage.flipset_episodes as episodes
    left join stage.flipset_steps as steps using (episode_id)
)

select
    {identity},
    '' as parameters,
    error_kind,
    failed,
    item_class,
    item,
    layout,
    gold,
    angle_deg,
    hidden,
    prompting,
    scene,
    answer,
    chosen_kind,
    parse_status,
    1 / len(option_kinds) as chance,
    (scored = 'correct')::integer as accuracy,
    (scored = 'egocentric')::integer as egocentric,
    if(has_confusable, scored = 'confusable', null)::integer as confusable,
    (scored = 'random')::integer as random,
    (scored = 'fail')::integer as fail,
    if(scored <> 'correct', egocentric, null) as egocentric_of_errors,
    if(scored <> 'correct', confusable, null) as confusable_of_errors,
    if(scored <> 'correct', random, null) as random_of_errors,
    if(scored <> 'correct', fail, null) as fail_of_errors
from answers
