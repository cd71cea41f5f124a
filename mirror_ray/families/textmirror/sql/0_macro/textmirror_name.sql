-- grain: one value
-- macro: textmirror_name(model)
-- A model as "Mirror Test for Large Language Models" names it; NULL of others.
select case
    when regexp_matches(lower(model), '(^|/)gpt-4-turbo') then 'ChatGPT'
    when regexp_matches(lower(model), '(^|/)claude-3[.-]7-sonnet') then 'Claude'
    when regexp_matches(lower(model), '(^|/)grok-2') then 'Grok'
    when regexp_matches(lower(model), '(^|/)gemini-2\.0-flash') then 'Gemini'
    when regexp_matches(lower(model), '(^|/)llama-3\.3-70b') then 'Llama'
    when regexp_matches(lower(model), '(^|/)deepseek-(chat|v3)') then 'Deepseek'
end
