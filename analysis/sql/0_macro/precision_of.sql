-- grain: one value
-- macro: precision_of(label, answers, choices)
-- Of the questions to which `label` was said, the share to which it is the answer; null where it
-- was never said. The lists go side by side; a question without a choice has a null there.
select len(list_filter(
    list_zip(answers, choices), lambda pair: pair[1] = label and pair[2] = label
)) / nullif(len(list_filter(choices, lambda choice: choice = label)), 0)
