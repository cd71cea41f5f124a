-- grain: one row per judge_id
-- Judges' verdicts on replies: each row is a judged reading, an episode. `verdict` is NULL if a
-- judge's reply was no verdict, or if its episode failed. `reads_all_keys`: judges also read closed
-- keys.
select
    judgements.sweep,
    judgements.episode_id as judge_id,
    judgements.model as judge,
    judgements.temperature as judge_temperature,
    judgements.cell_id as judge_cell_id,
    judgements.judged_id as episode_id,
    judgements.judged_ask as ask,
    coalesce(judgements.judged_part, '') as part,
    judgements.rubric,
    said.verdict,
    said.reply as judge_reply,
    judgements.error_kind,
    judgements.cost_usd,
    contains(judgements.variant, '+judged_keys=all') as reads_all_keys
from macro.latest_episodes(shard.metacog_episodes, stage.metacog_again) as judgements
left join shard.metacog_steps as said
    on judgements.episode_id = said.episode_id and judgements.take = said.take
where judgements.condition = 'judge' and judgements.judged_id is not null
