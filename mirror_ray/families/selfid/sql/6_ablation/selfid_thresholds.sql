-- grain: one row per family, condition, model, temperature, variant, metric, threshold_px
-- Metrics based on evidence, as functions of how many pixels of the ego's reflection count as
-- evidence (at 640×480, scaled by area): MCR, MTATO, CR, MGD, ARSC, SC. The grid is a parameter:
-- set variable mirror_px_grid = [50, 500]. Wilson's interval; MGD has the scores' own interval at
-- their threshold, and elsewhere Wilson's of its share of all steps, on as many trials as its
-- variance implies.
with grid as (
    select
        unnest(thresholds) as threshold_px,
        unnest(range(1, len(thresholds) + 1)) as rank
    from (
        select
            list_sort(list_distinct(coalesce(
                getvariable('mirror_px_grid'), [10, 25, 50, 100, 200, 500, 1000, 2000, 5000]
            ))) as thresholds
    )
),

-- How many thresholds a frame reaches; then, per episode, since when and in how many frames.
frames as (
    select
        scores.episode_id,
        played.step,
        len(list_filter(
            (select list(threshold_px order by rank) from grid),
            lambda px: px
            <= macro.evidence_seen_px(played.ego_reflection_px, played.mirror_px)::double
            * (640 * 480)
            / (facts.image_width_px * facts.image_height_px)
        )) as rank
    from stage.selfid_steps as played
    inner join episode.selfid as scores using (episode_id)
    inner join stage.selfid_episodes as facts using (episode_id)
    where
        macro.evidence_seen_px(played.ego_reflection_px, played.mirror_px) > 0
        and played.step <= scores.ttd
),

reached as (
    select
        episode_id,
        rank,
        min(step) as first_step,
        count(*) as n_frames
    from frames
    where rank > 0
    group by episode_id, rank
),

seen as (
    select
        reached.episode_id,
        grid.threshold_px,
        min(reached.first_step) as t_evidence,
        sum(reached.n_frames) as n_evidence
    from reached
    inner join grid on grid.rank <= reached.rank
    group by reached.episode_id, grid.threshold_px
),

judged as (
    select
        scores.*,
        grid.threshold_px,
        seen.t_evidence as seen_at,
        coalesce(seen.n_evidence, 0) as n_evidence,
        coalesce(seen.t_evidence < coalesce(scores.t_done, scores.ttd + 1), false) as saw,
        coalesce(scores.t_claim < seen.t_evidence, false) as claimed_first
    from episode.selfid as scores
    cross join grid
    left join seen using (episode_id, threshold_px)
    where not scores.failed
),

scored as (
    select
        *,
        saw::integer as new_mcr,
        if(tsa = 1, saw::integer, null) as new_mtato,
        (t_claim is not null and (not saw or claimed_first))::integer as new_cr,
        n_evidence::integer as new_mgd,
        (claimed_first and first_claim <> ego_color)::integer as new_arsc,
        if(
            claimed_first and first_claim <> ego_color,
            coalesce(t_truth_last >= seen_at, false)::integer,
            null
        ) as new_sc
    from judged
),

totals as (
    select
        {cell},
        threshold_px,
        max(max_steps) as most_steps,
        unnest([
            {'metric': 'mcr', 'n': count(new_mcr), 'total': sum(new_mcr), 'sd': null},
            {'metric': 'mtato', 'n': count(new_mtato), 'total': sum(new_mtato), 'sd': null},
            {'metric': 'cr', 'n': count(new_cr), 'total': sum(new_cr), 'sd': null},
            {
                'metric': 'mgd',
                'n': count(new_mgd),
                'total': sum(new_mgd),
                'sd': stddev_samp(new_mgd)
            },
            {'metric': 'arsc', 'n': count(new_arsc), 'total': sum(new_arsc), 'sd': null},
            {'metric': 'sc', 'n': count(new_sc), 'total': sum(new_sc), 'sd': null}
        ], recursive := true)
    from scored
    group by family, condition, model, temperature, variant, threshold_px
),

estimates as (
    select
        * exclude (total, sd),
        total / nullif(n, 0) as estimate,
        if(
            metric = 'mgd',
            sd,
            sqrt(total / nullif(n, 0) * (1 - total / nullif(n, 0)) * n / nullif(n - 1, 0))
        ) / sqrt(n) as se,
        -- For counts: the mean as a share of all steps, and how many trials that share is worth.
        if(metric = 'mgd', most_steps, 1) as scale,
        -- Counts at the scores' own threshold.
        metric = 'mgd' and threshold_px = macro.evidence_px(640, 480) as is_known,
        estimate / scale as share,
        if(
            metric = 'mgd',
            nullif(share * (1 - share), 0) / nullif((se / scale) ** 2, 0),
            n
        ) as n_worth
    from totals
)

select
    estimates.family,
    estimates.condition,
    estimates.model,
    estimates.temperature,
    estimates.variant,
    estimates.metric,
    threshold_px,
    estimates.n,
    estimates.estimate,
    estimates.se,
    if(
        is_known, known.ci_low, scale * macro.wilson_low(share * n_worth, n_worth)
    ) as ci_low,
    if(
        is_known, known.ci_high, scale * macro.wilson_high(share * n_worth, n_worth)
    ) as ci_high,
    if(is_known, known.method, 'wilson') as method
from estimates
left join metric.selfid as known
    on
        is_known
        and estimates.condition = known.condition
        and estimates.model = known.model
        and estimates.temperature is not distinct from known.temperature
        and estimates.variant = known.variant
        and estimates.metric = known.metric
