-- grain: one row per episode_id
-- The latest take of every episode. Earlier versions called the variant `paper` that is now called
-- `framed`; this view renames it, so that no table mixes two prompts.
select
    * replace (
        if(
            coalesce(prompt, 'framed') = 'framed',
            regexp_replace(variant, '^paper', 'framed'),
            variant
        ) as variant
    )
from macro.latest_episodes(shard.flipset_episodes, stage.flipset_again)
