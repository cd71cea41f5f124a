-- grain: one value
-- macro: metacog_experiment(metric)
-- The experiment whose replies a metric of summary.metacog rests on.
select case
    when metric = 'tii' then 'exp2'
    when starts_with(metric, 'cce_') then 'exp3'
    when metric = 'sar' or starts_with(metric, 'ai_') then 'exp4'
    when metric = 'ars' then 'exp5'
    when metric = 'ssr' then 'exp6a'
    when metric in ('fdr', 'false_positive_rate') then 'exp6b'
    when metric = 'given_up_rate' then 'exp6c'
    when metric = 'kdi' or regexp_matches(metric, '(cfr|autonomy)_') then 'exp9'
    else 'exp1'
end
