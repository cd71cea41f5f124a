-- grain: one row per judge_id
-- Judged readings and the rules': task, reply, key and both readings (`rules`, `verdict`).
-- `is_same` is NULL if either is. Where judge and rules disagree: `from
-- episode.metacog_readings_judged where not is_same`.
select
    readings.*,
    judged.judge_id,
    judged.judge,
    judged.judge_temperature,
    judged.judge_cell_id,
    judged.verdict,
    judged.judge_reply,
    judged.cost_usd as judge_cost_usd,
    readings.rules = judged.verdict as is_same
from stage.metacog_judged as judged
inner join episode.metacog_readings as readings
    on
        judged.episode_id = readings.episode_id
        and judged.ask = readings.ask
        and judged.part = readings.part
