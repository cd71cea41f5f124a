-- grain: one value
-- macro: recall_of(label, answers, choices)
-- Of the questions whose answer is `label`, the share answered with it; null without such
-- questions. The lists are parallel; a question without a choice has a null there.
select len(list_filter(
    list_zip(answers, choices), lambda pair: pair[1] = label and pair[2] = label
)) / nullif(len(list_filter(answers, lambda answer: answer = label)), 0)
