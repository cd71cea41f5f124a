-- grain: one value
-- macro: evidence_seen_px(ego_reflection_px, mirror_px)
-- Pixels that count as evidence in a frame: the ego's reflection, or the mirror's surface, whatever
-- that shows. A parameter of the analysis: set variable evidence = 'mirror'.
select
    case coalesce(getvariable('evidence'), 'reflection')
        when 'reflection' then ego_reflection_px
        when 'mirror' then mirror_px
        else error('evidence: reflection or mirror is allowed')
    end
