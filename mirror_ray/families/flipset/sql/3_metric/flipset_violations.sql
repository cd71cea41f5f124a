-- grain: one row per invariant, episode_id
-- Violated consequences of the design, or of how episodes are played. Empty for a sound run.
with facts as (
    select
        scores.*,
        played.option_kinds,
        played.options,
        steps.card_px,
        steps.monkey_px,
        steps.screen_px,
        steps.text_height_px
    from episode.flipset as scores
    inner join stage.flipset_episodes as played using (episode_id)
    left join stage.flipset_steps as steps using (episode_id)
    where not failed
)

select
    unnest(macro.broken([
        {'invariant': 'a whole episode has an answer, or a Fail', 'broken': chosen_kind is null},
        {
            'invariant': 'an answer is what its option is',
            'broken':
                answer is not null
                and chosen_kind <> option_kinds[ascii(answer) - ascii('A') + 1]
        },
        {
            'invariant': 'no answer is a Fail, or was handed over',
            'broken': (answer is null) <> (chosen_kind in ('fail', 'skipped'))
        },
        {
            'invariant': 'gold is the correct option',
            'broken': option_kinds[ascii(gold) - ascii('A') + 1] <> 'correct'
        },
        {
            'invariant': 'options are distinct',
            'broken': len(list_distinct(options)) <> len(options)
        },
        {
            'invariant': 'the card is in the picture and its text can be read',
            'broken': card_px = 0 or text_height_px < 8
        },
        {
            'invariant': 'the monkey is in the picture, unless MR shows the card alone',
            'broken':
                (monkey_px = 0)
                <> (
                    condition = 'MR'
                    and split_part(variant, '+', 1) in ('framed', 'alone')
                )
        },
        {
            'invariant': 'a screen that hides the card is in the picture',
            'broken': hidden and screen_px = 0
        }
    ])) as invariant,
    {cell},
    episode_id
from facts
