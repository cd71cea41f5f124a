-- grain: one value
-- macro: precision_of(label, answers, choices)
-- Of the questions answered with `label`, the share for which it is right; null if it was never
-- answered. The lists are parallel; a question without a choice has a null there.
select len(list_filter(
    list_zip(answers, choices), lambda pair: pair[1] = label and pair[2] = label
)) / nullif(len(list_filter(choices, lambda choice: choice = label)), 0)
