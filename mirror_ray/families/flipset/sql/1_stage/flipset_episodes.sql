-- grain: one row per episode_id
-- The latest take of every episode. What earlier versions called paper has the words that are now
-- called framed: this view names it so, lest a table take two prompts for one.
select
    * replace (
        if(
            coalesce(prompt, 'framed') = 'framed',
            regexp_replace(variant, '^paper', 'framed'),
            variant
        ) as variant
    )
from macro.latest_episodes(shard.flipset_episodes, stage.flipset_again)
