-- grain: one row per author, reader, pairing, temperature, question, n_sentences
-- Does only the author notice, or anybody? A reader (M3) and the author on the very same revised
-- stories: the accuracy of each, the difference (author minus reader) with Newcombe's paired
-- interval (1998, method 10), and the exact sign test (McNemar's) over the `n` stories, each
-- counted as its mean over revisions and repetitions. `pairing`: who revised, the author or
-- another; all.
-- replies: author; reader = model; temperature where condition = 'recognition'
with answers as (
    select *
    from episode.textmirror
    where condition = 'recognition' and accuracy is not null
),

met as (
    select
        other.family, other.author, other.reader,
        unnest([other.pairing, 'all']) as pairing,
        other.temperature, other.question, other.n_sentences, other.cluster,
        own.accuracy as by_author,
        other.accuracy as by_reader
    from answers as other
    inner join answers as own
        on
            other.parent_id = own.parent_id
            and other.question = own.question
            and other.temperature is not distinct from own.temperature
    where other.reads = 'others' and own.reads = 'own'
),

stories as (
    select
        struct_pack(family, author, reader, pairing, temperature, question, n_sentences) as cell,
        cluster,
        avg(by_author) as by_author,
        avg(by_reader) as by_reader
    from met
    group by all
),

counts as (
    select
        cell,
        count(*) as n,
        sum(by_author) as author_total,
        sum(by_reader) as reader_total,
        -- For stories without repetitions: the counts found by both and by neither.
        sum(by_author * by_reader) as found_by_both,
        sum(by_author * (1 - by_reader)) as found_by_author,
        sum((1 - by_author) * by_reader) as found_by_reader,
        sum((1 - by_author) * (1 - by_reader)) as found_by_none,
        count(*) filter (where by_author > by_reader) as only_author,
        count(*) filter (where by_author < by_reader) as only_reader
    from stories
    group by cell
),

agreement as (
    select
        *,
        found_by_both * found_by_none - found_by_author * found_by_reader as excess,
        sqrt(
            author_total * (n - author_total) * reader_total * (n - reader_total)
        ) as scale
    from counts
),

ends as (
    select
        *,
        -- Newcombe's correlation of the two answers, cautious if positive.
        case
            when scale = 0 then 0
            when excess > 0 then greatest(excess - n / 2, 0) / scale
            else excess / scale
        end as phi,
        author_total / n - macro.wilson_low(author_total, n) as author_down,
        macro.wilson_high(author_total, n) - author_total / n as author_up,
        reader_total / n - macro.wilson_low(reader_total, n) as reader_down,
        macro.wilson_high(reader_total, n) - reader_total / n as reader_up
    from agreement
)

select
    cell.*,
    n,
    author_total / n as by_author,
    reader_total / n as by_reader,
    (author_total - reader_total) / n as difference,
    (author_total - reader_total) / n
    - sqrt(author_down ** 2 - 2 * phi * author_down * reader_up + reader_up ** 2) as ci_low,
    (author_total - reader_total) / n
    + sqrt(author_up ** 2 - 2 * phi * author_up * reader_down + reader_down ** 2) as ci_high,
    only_author,
    only_reader,
    macro.mcnemar_p(only_author, only_reader) as p
from ends
