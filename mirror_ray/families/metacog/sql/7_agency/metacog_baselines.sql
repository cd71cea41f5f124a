-- grain: one row per model, temperature, setting, baseline
-- Experiment 1's wagers: what escalating by domain is worth against escalating by question.
-- `failure_rate`: questions neither escalated nor right, of all. `none`: nothing is escalated.
-- `domain`: weak domains are (set variable weak_policy = 'threshold'). `confidence`: as many
-- questions, lowest wagers first; of equal wagers each is as likely. `platt`: as many, least likely
-- right first by a logistic fit to the other half (Platt's targets, 25 steps of Newton's method).
-- `conformal`: wagers up to a quantile of the wrong answers' wagers in the other half, so that a
-- wrong answer goes ahead with probability alpha at most (set variable conformal_alpha = 0.1); its
-- share of escalated questions is its own. Halves: every other question of each domain. Counts are
-- of the `n` questions: replies, `n_episodes` in all, are equal shares of theirs.
-- `self_consistency`: as many, first those whose answer least of the other replies to the same
-- question give, too; a reply without another beside it goes first. NULL where every question was
-- asked once.
with recursive replies as (
    select
        asked.family,
        asked.model,
        asked.temperature,
        asked.setting,
        asked.domain,
        dense_rank() over (order by asked.model, asked.temperature, asked.setting) as subject,
        min(asked.scene_seed) over one_question as first_seed,
        1 / count(*) over one_question as weight,
        1 - asked.accuracy as wrong,
        asked.bet_share,
        count(asked.answer_plain) over (
            partition by
                asked.model, asked.temperature, asked.setting, asked.scene_seed, asked.item_id
        ) as n_replies,
        count(asked.answer_plain) over (
            partition by
                asked.model,
                asked.temperature,
                asked.setting,
                asked.scene_seed,
                asked.item_id,
                asked.answer_plain
        ) as n_same,
        known.weak::integer as weak
    from episode.metacog as asked
    inner join metric.metacog_domains_weak as known
        on
            asked.model = known.model
            and asked.temperature is not distinct from known.temperature
            and asked.setting = known.setting
            and asked.domain = known.domain
            and known.policy = coalesce(getvariable('weak_policy'), 'median_or_bottom_k')
    where
        asked.experiment = 'exp1' and asked.channel = 'wagering'
        and asked.bet_share is not null and asked.accuracy is not null
    window one_question as (
        partition by asked.model, asked.temperature, asked.setting, asked.cluster
    )
),

wagers as (
    select
        * exclude (domain, first_seed),
        dense_rank() over (partition by subject, domain order by first_seed) % 2 as parity
    from replies
),

bets as (
    select
        subject,
        parity,
        bet_share,
        sum(weight) as n,
        sum(wrong * weight) as n_wrong,
        ceil(round(
            (sum(sum(wrong * weight)) over half + 1)
            * (1 - coalesce(getvariable('conformal_alpha'), 0.1)::double), 9
        )) as place,
        round(sum(sum(wrong * weight)) over (half order by bet_share), 9) as wrong_so_far
    from wagers
    group by subject, parity, bet_share
    window half as (partition by subject, parity)
),

targets as (
    select
        subject,
        parity,
        bet_share,
        n,
        (n - n_wrong) * (sum(n - n_wrong) over own + 1) / (sum(n - n_wrong) over own + 2)
        + n_wrong / (sum(n_wrong) over own + 2) as n_right
    from bets
    window own as (partition by subject, parity)
),

newton as (
    select distinct
        subject,
        parity,
        0 as turn,
        0::double as base,
        0::double as slope
    from bets

    union all

    select
        subject,
        parity,
        turn + 1 as turn,
        base + (curve_slope * pull - curve_both * pull_slope) / bend as base,
        slope + (curve * pull_slope - curve_both * pull) / bend as slope
    from (
        select
            *,
            curve * curve_slope - curve_both ** 2 as bend
        from (
            -- The ridge keeps the slope at 0 where all wagers are the same.
            select
                subject,
                parity,
                turn,
                base,
                slope,
                sum(n_right - n * chance) as pull,
                sum((n_right - n * chance) * bet_share) - 1e-6 * slope as pull_slope,
                sum(n * chance * (1 - chance)) as curve,
                sum(n * chance * (1 - chance) * bet_share) as curve_both,
                sum(n * chance * (1 - chance) * bet_share ** 2) + 1e-6 as curve_slope
            from (
                select
                    newton.*,
                    targets.* exclude (subject, parity),
                    1 / (1 + exp(-base - slope * bet_share)) as chance
                from newton
                inner join targets
                    on newton.subject = targets.subject and newton.parity = targets.parity
                where turn < 25
            )
            group by subject, parity, turn, base, slope
        )
    )
),

wrong_bets as (
    select
        subject,
        parity,
        any_value(place) as place,
        min(bet_share) filter (where wrong_so_far >= place) as cut
    from bets
    group by subject, parity
),

judged as (
    select
        wagers.*,
        1 / (1 + exp(-newton.base - newton.slope * bet_share)) as chance,
        -- Too few wrong answers to tell: nothing goes ahead.
        if(
            wrong_bets.place > 0 and wrong_bets.cut is not null,
            bet_share <= wrong_bets.cut,
            coalesce(wrong_bets.place, 1) > 0
        )::integer as doubted,
        if(
            max(n_replies) over (partition by wagers.subject) > 1,
            coalesce((n_same - 1) / nullif(n_replies - 1, 0), 0),
            null
        ) as agreement,
        sum(weak * weight) over (partition by wagers.subject) as budget
    from wagers
    left join newton
        on
            wagers.subject = newton.subject
            and wagers.parity = 1 - newton.parity
            and newton.turn = 25
    left join wrong_bets
        on wagers.subject = wrong_bets.subject and wagers.parity = 1 - wrong_bets.parity
),

ranked as (
    select
        family,
        model,
        temperature,
        setting,
        wrong,
        weight,
        unnest([
            {'baseline': 'none', 'score': 1::double, 'allowed': 0::double},
            {'baseline': 'domain', 'score': 1::double - weak, 'allowed': budget},
            {'baseline': 'confidence', 'score': bet_share, 'allowed': budget},
            {'baseline': 'self_consistency', 'score': agreement, 'allowed': budget},
            {'baseline': 'platt', 'score': chance, 'allowed': budget},
            {
                'baseline': 'conformal',
                'score': 1::double - doubted,
                'allowed': sum(doubted * weight) over (partition by subject)
            }
        ], recursive := true)
    from judged
),

ties as (
    select
        family,
        model,
        temperature,
        setting,
        baseline,
        score,
        allowed,
        sum(weight) as n,
        sum(wrong * weight) as n_wrong,
        count(*) as n_episodes
    from ranked
    group by family, model, temperature, setting, baseline, score, allowed
),

taken as (
    select
        *,
        if(
            score is null,
            null,
            greatest(0, least(n, allowed - (sum(n) over earlier - n)))
        ) as escalated
    from ties
    window earlier as (
        partition by model, temperature, setting, baseline order by score
    )
)

select
    family,
    model,
    temperature,
    setting,
    baseline,
    round(sum(n))::bigint as n,
    sum(n_episodes)::bigint as n_episodes,
    sum(escalated) / if(count(escalated) = count(*), sum(n), null) as escalation,
    sum(n_wrong * (1 - escalated / n))
    / if(count(escalated) = count(*), sum(n), null) as failure_rate
from taken
group by family, model, temperature, setting, baseline
