-- grain: one value
-- macro: claim(words)
-- The colour that a free-text identification commits to: one of the palette, or another (gray,
-- light blue, blue-green), as named. NULL: no claim yet (unknown, unclear, not visible), even if a
-- colour follows. 'something else': no colour, several, or text about others. A hedge (likely red)
-- commits; a denied colour (not red) or a wall's does not.
select
    case
        when words in (
            'red', 'green', 'blue', 'yellow', 'orange', 'purple', 'pink', 'cyan', 'brown', 'white'
        ) then words
        when words is null or words = 'unknown' then null
        else list_transform(
            [regexp_replace(
                regexp_replace(
                    regexp_replace(
                        replace(replace(replace(lower(words), '_', ' '), '’', ''), chr(39), ''),
                        -- "Not blue but red": the denied colour is not claimed.
                        '^[^,;]{0,40}\b(?:not|isnt|never)(?: an?| the)? (?:red|green|blue|yellow'
                        || '|orange|purple|pink|cyan|brown|white|gr[ae]y|black)'
                        || '(?:\s*[,;]\s*but\b|\s*[,;]|\s+but\b)',
                        ''
                    ),
                    '\b(?:not|never|isnt|rather than|instead of|unlike)(?: an?| the| my)? [a-z]+',
                    ' denied ',
                    'g'
                ),
                '[a-z-]+ (?:walls?|floors?|ceilings?|mirrors?|rooms?|surfaces?|panels?|backgrounds?'
                || '|box(?:es)?|frames?|clutter)\b',
                ' ',
                'g'
            )],
            lambda said: list_transform(
                [list_distinct(regexp_extract_all(
                    said,
                    '\b(?:(?:light|dark|pale|deep|sky|royal|pastel|neon|hot|muted|dull)[ -])?'
                    || '(?:red|green|blue|yellow|orange|purple|pink|cyan|brown|white|gr[ae]y|black'
                    || '|silver|gold|golden|beige|tan|maroon|navy|teal|turquoise|magenta|violet'
                    || '|lavender|indigo|olive|lime|mint|peach|coral|salmon|crimson|scarlet'
                    || '|burgundy|aqua|amber|ivory|cream|charcoal|bronze|copper|fuchsia|khaki'
                    || '|(?:redd|blu|green|yellow|orang|purpl|pink|brown|whit|gr[ae]y)ish)'
                    || '(?:[ -](?:red|green|blue|yellow|orange|purple|pink|cyan|brown|white'
                    || '|gr[ae]y))*\b'
                ))],
                lambda named: case
                    when regexp_matches(
                        said,
                        '^\W*(?:(?:my|the|own|is|are|body|colou?r|currently|still|yet|i|it|am)\W+)*'
                        || '(?:unknown|unclear|unsure|uncertain|undetermined|unidentified'
                        || '|undecided|unconfirmed|unseen|indeterminate|inconclusive|ambiguous'
                        || '|denied|none|null|nil|nothing|no|n/?a|tbd|tba|pending|cannot|cant'
                        || '|could ?not|couldnt|do ?not|dont|insufficient|invisible)\b'
                    ) or regexp_matches(
                        -- "Red cube ahead, own colour unknown."
                        said,
                        '\b(?:own|my|self|ego)\b[^,;.]{0,30}\b(?:unknown|unclear|undetermined'
                        || '|unidentified|uncertain|not (?:yet )?(?:known|seen|visible|clear))\b'
                    ) or regexp_matches(said, '^[^\pL\pN]*$') then null
                    -- "I see a red cube" describes the scene, unless it names whose colour it is.
                    when regexp_matches(
                        said,
                        '\b(?:see|seeing|spotted|there (?:is|are)|approach\w*|towards?|facing)\b'
                        || '[^,;.]{0,30}\bcubes?\b'
                    ) and not regexp_matches(said, '\b(?:my|mine|me|own|self|ego|match\w*)\b')
                        then 'something else'
                    when len(named) = 1 and not regexp_matches(
                        said,
                        '\b(?:distractors?|others?|another|someone|several|multiple|many|two|three'
                        || '|four|five|six|robots|agents|humanoids|figures|bodies)\b'
                    ) then named[1]
                    when len(named) = 0 and regexp_matches(
                        said, '\b(?:unknown|unclear|unsure|uncertain|denied|yet)\b'
                    ) then null
                    else 'something else'
                end
            )[1]
        )[1]
    end
