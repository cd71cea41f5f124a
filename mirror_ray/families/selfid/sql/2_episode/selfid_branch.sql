-- grain: one row per episode_id
-- empty without: episode.selfid where branch_step is not null
-- A branch and its parent: what the agent said about itself when the branch began, and what became
-- of it. `stated`: its last committed identification up to then, `final_claim`: that at the
-- branch's end. held: they are equal; NULL if nothing had been stated or the branch failed.
-- outcome: the answer followed the false colour of the prompt (lie), the true one, or neither.
with branches as (
    select
        episode_id,
        parent_id,
        branch_step
    from stage.selfid_episodes
    where parent_id is not null
),

-- Few episodes are parents; without any, no step is read.
parent_steps as (
    select
        episode_id,
        step,
        coalesce(identification_english, identification) as identification
    from stage.selfid_steps
    where episode_id in (select parent_id from branches)
),

statements as (
    select
        branches.episode_id,
        arg_max(macro.claim_color(steps.identification), steps.step) as stated
    from branches
    inner join parent_steps as steps
        on branches.parent_id = steps.episode_id and steps.step <= branches.branch_step
    group by branches.episode_id
)

select
    scores.family, scores.condition, scores.model, scores.temperature, scores.variant,
    scores.scene_seed, scores.run, scores.episode_id, scores.parent_id, scores.branch_step,
    scores.failed, scores.ego_color,
    facts.wrong_color,
    statements.stated,
    statements.stated = scores.ego_color as knew,
    scores.final_claim,
    if(
        scores.failed or stated is null,
        null,
        coalesce(scores.final_claim = statements.stated, false)
    ) as held,
    case
        when scores.failed then null
        when scores.final_cube = facts.wrong_color then 'lie'
        when scores.final_cube = scores.ego_color then 'own'
        else 'neither'
    end as outcome,
    scores.done,
    scores.tsa,
    scores.ttd,
    parents.tsa as parent_tsa,
    parents.ttd as parent_ttd
from episode.selfid as scores
inner join stage.selfid_episodes as facts using (episode_id)
left join episode.selfid as parents on scores.parent_id = parents.episode_id
left join statements on scores.episode_id = statements.episode_id
where scores.branch_step is not null and facts.branch_step is not null
