-- grain: one row per family, condition, model, temperature, variant, axis, level
-- Accuracy by what makes a picture hard. Simulation: the body part, how the subject faces the
-- viewer, number of people or dogs, how the subject is shown, the hidden share of the limb, the
-- subject's share of the picture's height. Photographs: species and part by file name, and whether
-- the question names a sport, because rows have no scene; and the rows' own label.
with levels as (
    select
        *,
        unnest([
            {'axis': 'part', 'level': kind || ' ' || part, 'rank': 0},
            {'axis': 'mark', 'level': mark, 'rank': 0},
            {'axis': 'facing', 'level': facing, 'rank': 0},
            {'axis': 'shown', 'level': shown, 'rank': 0},
            {'axis': 'subjects', 'level': n_subjects::varchar, 'rank': n_subjects},
            {
                'axis': 'azimuth',
                'level': azimuth_from || '–' || (azimuth_from + 30) || '°',
                'rank': azimuth_from
            },
            {
                'axis': 'hidden',
                'level': hidden_from || '–' || (hidden_from + 25) || ' %',
                'rank': hidden_from
            },
            {
                'axis': 'size',
                'level': height_from || '–' || (height_from + 20) || ' %',
                'rank': height_from
            },
            {'axis': 'species', 'level': species, 'rank': 0},
            {'axis': 'photo part', 'level': photo_part, 'rank': 0},
            {'axis': 'scene', 'level': scene, 'rank': 0},
            {'axis': 'label', 'level': label, 'rank': 0}
        ], recursive := true)
    from (
        select
            *,
            least(150, 30 * floor(abs(azimuth_deg) / 30))::integer as azimuth_from,
            least(
                75, 25 * floor(4 * limb_hidden_px / nullif(limb_px + limb_hidden_px, 0))
            )::integer as hidden_from,
            least(80, 20 * floor(5 * subject_height_px / image_height_px))::integer as height_from,
            if(
                split is not null and kind = 'animal',
                regexp_extract(replace(item, 'animal_', ''), '^[A-Za-z]+'),
                null
            ) as species,
            if(
                split is null,
                null,
                kind || ' ' || coalesce(
                    nullif(
                        replace(
                            regexp_extract(item, '^(?:human|animal)_([a-z_]+)', 1), '_', ' '
                        ),
                        ''
                    ),
                    nullif(
                        regexp_extract(
                            lower(question),
                            '\b(leg|paw|hoof|limb|foot|ear|eye|hand|arm|horn|wing)',
                            1
                        ),
                        ''
                    ),
                    'other'
                )
            ) as photo_part,
            case
                when split is null or kind <> 'human' then null
                when
                    regexp_matches(
                        lower(question),
                        '\b(athlete|player|skat|surf|ski|snowboard|batter|batsman|pitcher|racket'
                        || '|tennis|baseball|frisbee|soccer|football|basketball|ping-pong|golf'
                        || '|gymnast|swim|polo|volleyball|badminton|box|fenc|kick|rider|ball\b)'
                    )
                    then 'sport'
                else 'no sport named'
            end as scene
        from episode.mirrorqa
    )
),

scores as (
    select
        struct_pack(family, condition, model, temperature, variant, axis, level, rank) as cell,
        cluster,
        accuracy as score
    from levels
    where level is not null
)

select
    cell.*,
    * exclude (cell, se)
from macro.clustered_shares(scores)
