-- grain: one row per m1, m2, temperature, variant, n_sentences
-- "Mirror Test for Large Language Models", randomisation check: was every position revised equally
-- often? Pearson's χ² on counts. The source's statistic is far below that of counts of so many
-- stories, as if it were computed on shares.
-- replies: where condition = 'revision'
select
    checks.author as m1,
    checks.editor as m2,
    checks.temperature, checks.variant, checks.n_sentences, checks.n, checks.chi2, checks.df,
    checks.p,
    printed.chi2 as reference,
    printed.p as p_reference,
    case
        when printed.chi2 is not null
            then 'shengyu-zhu/mirror_test_llm, randomization_check_chi_square_results.csv'
    end as cited
from metric.textmirror_randomisation as checks
left join macro.textmirror_randomisation() as printed
    on checks.author is null and checks.n_sentences = printed.n_sentences
order by checks.temperature, checks.variant, checks.n_sentences, m1 nulls first, m2
