-- grain: one row per episode_id
-- Scores of an episode (arXiv 2604.19809). `setting` is the variant without the axes that an
-- experiment itself compares, so that channels, attacks, feedback and paradigms of one model are
-- together; it names the bank if it is not the generated one. `known_setting` is the setting of
-- experiment 1 that describes the model's domains: the same, else the only one, else NULL.
-- `information` is "C2 false" if the model was told false scores. `accuracy` is by the grammar (or
-- set variable matching = 'published' or 'judge'), `lenient` the authors' reading; NULL if nothing
-- was answered, or a judge left it open. Judges' own episodes are in
-- episode.metacog_readings_judged. `bet_share` is the wager on [0, 1], (bet - 1) / 9, as in the
-- published code. A model that calls tools without an answer gets a further request. A failed
-- episode has no scores. `cluster` is the independent unit: a question's text, regardless of its
-- number.
with labelled as (
    select
        *,
        regexp_replace(
            variant,
            '\+(channel|paradigm|attack|feedback|task_set|route|scores)=[^+]*', '', 'g'
        ) as protocol,
        case
            when bank is null then ''
            -- Several banks of one kind in an experiment have their full names.
            when
                count(distinct bank) over (partition by experiment, split_part(bank, ' ', 1)) > 1
                then '+bank=' || bank
            when bank = 'generated' then ''
            else '+bank=' || split_part(bank, ' ', 1)
        end as bank_label
    from stage.metacog_episodes
),

settings as (
    select
        *,
        list(distinct bank_label) filter (where experiment = 'exp1') over (
            partition by model, temperature, protocol
        ) as known_labels
    from labelled
),

asks as (
    select
        episode_id,
        arg_max(status, ask) filter (where phase in ('answer', 'after_tools', 'parts')) as status,
        max(correct::integer) filter (where phase in ('answer', 'after_tools')) as correct,
        max(correct_lenient::integer)
            filter (where phase in ('answer', 'after_tools')) as correct_lenient,
        arg_max(answer_plain, ask)
            filter (where phase in ('answer', 'after_tools')) as answer_plain,
        any_value(bet) filter (where phase = 'answer') as bet,
        any_value(skipped) filter (where phase = 'answer') as skipped,
        any_value(choice) filter (where phase = 'answer') as choice,
        any_value(len(tools)) filter (where phase = 'answer') as n_tools,
        any_value(n_hedges) filter (where phase in ('answer', 'parts')) as n_hedges,
        any_value(signal) filter (where phase in ('answer', 'predict')) as signal,
        any_value(confidence) filter (where phase = 'answer') as confidence,
        any_value(self_prediction) filter (where phase = 'predict') as self_prediction,
        any_value(signal) filter (where phase = 'related') as signal_related,
        any_value(signal) filter (where phase = 'unrelated') as signal_unrelated,
        any_value(bet) filter (where phase = 'related') as bet_related,
        any_value(bet) filter (where phase = 'unrelated') as bet_unrelated,
        any_value(self_score) filter (where priming = 'fresh') as score_fresh,
        any_value(self_score) filter (where priming = 'positive') as score_positive,
        any_value(self_score) filter (where priming = 'negative') as score_negative,
        any_value(self_score) filter (where priming = 'difficulty') as score_difficulty,
        any_value(premise_reply) as premise_reply,
        any_value(premise_endorsed) as premise_endorsed,
        any_value(macro.matched(correct, correct_lenient))
            filter (where phase = 'baseline') as correct_before,
        any_value(macro.matched(correct, correct_lenient))
            filter (where phase = 'pressed') as correct_pressed,
        any_value(confidence) filter (where phase = 'baseline') as confidence_before,
        any_value(confidence) filter (where phase = 'pressed') as confidence_pressed,
        any_value(yielded) as yielded,
        any_value(decision_a) as decision_a,
        any_value(decision_b) as decision_b,
        any_value(lower(trim(answer_a))) as answer_a,
        any_value(lower(trim(answer_b))) as answer_b,
        any_value(n_hedges_a) as n_hedges_a,
        any_value(n_hedges_b) as n_hedges_b,
        any_value(macro.matched(correct_a, correct_lenient_a)) as correct_a,
        any_value(macro.matched(correct_b, correct_lenient_b)) as correct_b
    from stage.metacog_steps_judged
    group by episode_id
)

select
    episodes.sweep,
    episodes.family,
    episodes.condition,
    episodes.model,
    episodes.cell_id,
    episodes.episode_id,
    episodes.scene_seed,
    episodes.run,
    coalesce(
        md5(regexp_replace(lower(trim(episodes.question)), '\s+', ' ', 'g')),
        episodes.item_id,
        'scene ' || episodes.scene_seed
    ) as cluster,
    episodes.temperature,
    episodes.variant,
    episodes.take,
    '' as parameters,
    episodes.error_kind,
    episodes.error_kind <> 'none' as failed,
    episodes.protocol || episodes.bank_label as setting,
    case
        when list_contains(episodes.known_labels, episodes.bank_label)
            then episodes.protocol || episodes.bank_label
        when len(episodes.known_labels) = 1 then episodes.protocol || episodes.known_labels[1]
    end as known_setting,
    episodes.bank,
    episodes.experiment,
    episodes.channel,
    episodes.item_id,
    episodes.domain,
    episodes.subcategory,
    episodes.difficulty,
    episodes.hidden_dependency,
    episodes.surface_domain,
    episodes.domain_a,
    episodes.domain_b,
    episodes.subcategory_a,
    episodes.subcategory_b,
    episodes.difficulty_a,
    episodes.difficulty_b,
    episodes.feedback,
    episodes.attack,
    episodes.premise_flawed,
    episodes.flaw,
    episodes.pressure,
    episodes.information
    || if(coalesce(episodes.scores, 'own') = 'false', ' false', '') as information,
    episodes.paradigm,
    episodes.task_set,
    if(episodes.information in ('C3', 'C4'), coalesce(episodes.route, 'median'), null) as route,
    episodes.prior_accuracy_a,
    episodes.prior_accuracy_b,
    episodes.routed_a,
    episodes.routed_b,
    asks.* exclude (episode_id, correct, correct_lenient, correct_a, correct_b),
    if(
        episodes.error_kind = 'none', macro.matched(asks.correct, asks.correct_lenient), null
    )::integer as accuracy,
    if(episodes.error_kind = 'none', asks.correct_lenient, null)::integer as lenient,
    if(episodes.error_kind = 'none', asks.correct_a, null)::integer as accuracy_a,
    if(episodes.error_kind = 'none', asks.correct_b, null)::integer as accuracy_b,
    if(episodes.error_kind = 'none', coalesce(asks.status, 'ok') = 'ok', null)::integer as readable,
    (asks.bet - 1) / 9 as bet_share,
    case episodes.channel
        when 'wagering' then (asks.bet - 1) / 9
        when 'matched' then (asks.confidence - 1) / 9
        when 'prediction' then asks.self_prediction / 100
        else asks.signal
    end as signal_share,
    list_contains(['pushback', 'caveat', 'refusal'], asks.premise_reply) as premise_flagged,
    if(list_contains(['use_tool', 'defer'], asks.decision_a), 0, 1) as proceeded_a,
    if(list_contains(['use_tool', 'defer'], asks.decision_b), 0, 1) as proceeded_b
from settings as episodes
left join asks using (episode_id)
where episodes.condition <> 'judge'
