-- grain: one row per m1, m2, story_temperature, revision_temperature, temperature
-- "Mirror Test for Large Language Models", effect of temperature: accuracy by pair at the
-- temperatures of the stories, of the revisions, and of the reader. The source shows these only as
-- pictures.
-- replies: m1 = model; m2 = editor; temperature where condition = 'recognition'
select
    author as m1,
    editor as m2,
    story_temperature, revision_temperature, temperature,
    count(distinct cluster) as n,
    avg(accuracy) as accuracy,
    null::double as reference,
    null::varchar as cited
from episode.textmirror
where
    condition = 'recognition' and reads = 'own' and question = 'paper' and n_sentences = 5
    and accuracy is not null
group by all
order by m1, m2, story_temperature, revision_temperature, temperature
