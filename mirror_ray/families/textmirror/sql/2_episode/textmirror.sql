-- grain: one row per episode_id
-- Scores of an episode of any stage ("Mirror Test for Large Language Models"). `usable`: the reply
-- serves the next stage, or names something that could be right. `accuracy`: the reader named the
-- revised sentence; a reply without a number is wrong, and left out of `accuracy_valid`. The
-- author's own revision is `self`, another model's `cross`; an unchanged story has no editor.
-- `reads`: the reader is the author (M1), or another model (M3). `cluster` is the independent unit:
-- an author's stories of one seed, with all their revisions.
with stages as (
    select
        *,
        error_kind <> 'none' as failed,
        concat_ws(' · ', author, coalesce(seed_text, 'seed ' || scene_seed)) as cluster,
        coalesce(author = editor, false) as by_author,
        split_part(variant, '+', 1) as question,
        case
            when condition = 'authorship' then 2
            when condition = 'attribution' then len(makers)
            when condition = 'recognition' then n_sentences
        end as n_choices
    from stage.textmirror_episodes
)

select
    {identity},
    '' as parameters,
    error_kind,
    failed,
    question,
    n_sentences,
    author,
    editor,
    reader,
    if(reader is null, null, if(reader = author, 'own', 'others')) as reads,
    if(reader is null or editor is null, null, if(by_author, 'self', 'cross')) as pairing,
    parent_id,
    seed_text,
    seed_origin,
    coalesce(
        try_cast(regexp_extract(variant, 'story_temperature=([0-9.]+)', 1) as double), temperature
    ) as story_temperature,
    coalesce(
        try_cast(regexp_extract(variant, 'revision_temperature=([0-9.]+)', 1) as double),
        temperature
    ) as revision_temperature,
    position,
    predicted,
    named,
    reason,
    -- A revision that changes nothing.
    if(
        condition = 'revision' and not failed and revised_sentence is not null,
        regexp_replace(lower(trim(revised_sentence)), '\s+', ' ', 'g')
        = regexp_replace(lower(trim(original_sentence)), '\s+', ' ', 'g'),
        null
    )::integer as changes_nothing,
    original_words,
    revised_words,
    n_choices,
    if(
        question = 'unchanged',
        null,
        1 / (n_choices + if(question = 'allow_zero' and condition = 'recognition', 1, 0))
    ) as chance,
    if(failed, null, case condition
        when 'seeds' then len(prompts) > 0
        when 'story' then kept
        when 'pooled_story' then kept
        when 'revision' then revised_sentence is not null
        else valid
    end)::integer as usable,
    if(failed, null, correct)::integer as accuracy,
    if(failed or not valid, null, correct)::integer as accuracy_valid,
    if(failed or not by_author, null, correct)::integer as accuracy_self,
    if(failed or by_author, null, correct)::integer as accuracy_cross
from stages
