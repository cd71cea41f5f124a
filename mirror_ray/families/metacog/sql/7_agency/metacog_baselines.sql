-- grain: one row per model, temperature, setting, baseline
-- Experiment 1's wagers: escalation by domain against escalation by question. `failure_rate`:
-- questions neither escalated nor right, of all. `none`: nothing is escalated. `domain`: weak
-- domains are (set variable weak_policy = 'threshold'). `confidence`: as many questions, lowest
-- wagers first; equal wagers are equally likely. `platt`: as many, least likely right first by a
-- logistic fit to the other half (macro.metacog_platt). `conformal`: wagers up to a quantile of the
-- wrong answers' wagers in the other half, so that a wrong answer passes with probability alpha at
-- most (set variable conformal_alpha = 0.1); it determines its own share of escalated questions.
-- Halves: every other question of each domain. Counts are of the `n` questions: replies,
-- `n_episodes` in all, are equal shares of theirs. `self_consistency`: as many, starting with
-- answers that the fewest other replies to the same question give; a reply without another to
-- compare goes first. NULL if every question was asked once.
-- replies: where condition = 'exp1'
with asked as (
    select
        struct_pack(asked.family, asked.model, asked.temperature, asked.setting) as subject,
        asked.domain, asked.cluster, asked.scene_seed, asked.item_id, asked.answer_plain,
        asked.bet_share,
        1 - asked.accuracy as wrong,
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
),

replies as (
    select
        *,
        min(scene_seed) over one_question as first_seed,
        1 / count(*) over one_question as weight,
        count(answer_plain) over (partition by subject, scene_seed, item_id) as n_replies,
        count(answer_plain) over (
            partition by subject, scene_seed, item_id, answer_plain
        ) as n_same
    from asked
    window one_question as (partition by subject, cluster)
),

wagers as (
    select
        *,
        dense_rank() over (partition by subject, domain order by first_seed) % 2 as parity
    from replies
),

bets as (
    select
        subject,
        parity,
        bet_share as x,
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

wrong_bets as (
    select
        subject,
        parity,
        any_value(place) as place,
        min(x) filter (where wrong_so_far >= place) as cut
    from bets
    group by subject, parity
),

judged as (
    select
        wagers.*,
        1 / (1 + exp(-fits.base - fits.slope * bet_share)) as chance,
        -- Too few wrong answers to decide: nothing passes.
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
    left join macro.metacog_platt(bets, 1e-6) as fits
        on wagers.subject = fits.subject and wagers.parity = 1 - fits.parity
    left join wrong_bets
        on wagers.subject = wrong_bets.subject and wagers.parity = 1 - wrong_bets.parity
),

ranked as (
    select
        subject, wrong, weight,
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

scored as (
    select
        subject, baseline, score, allowed,
        sum(weight) as n,
        sum(weight) as n_of,
        sum(wrong * weight) as n_wrong,
        count(*) as n_episodes
    from ranked
    group by all
)

select
    subject.*,
    baseline,
    round(n)::bigint as n,
    n_episodes::bigint as n_episodes,
    escalation,
    rate as failure_rate
from macro.metacog_escalated(scored)
