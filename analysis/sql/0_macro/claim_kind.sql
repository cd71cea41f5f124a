-- grain: one value
-- macro: claim_kind(words)
-- The kind of an identification; NULL if no reply was read.
select
    case
        when words is null then 'nothing yet'
        else list_transform(
            [macro.claim(words)],
            lambda color: case
                when color is null then 'nothing yet'
                when color = 'something else' then color
                when color in (
                    'red', 'green', 'blue', 'yellow', 'orange',
                    'purple', 'pink', 'cyan', 'brown', 'white'
                ) then 'palette'
                else 'off palette'
            end
        )[1]
    end
