-- grain: one row per invariant, episode_id
-- Violated consequences of the paper's definitions, or of how episodes are played. Empty for a
-- sound run.
select
    unnest(macro.broken([
        {
            'invariant': 'without a mirror, MCR, MTATO, MGD and ARSC are 0',
            'broken': (condition = 'E2' or not mirror_present)
            and mcr + coalesce(mtato, 0) + mgd + arsc > 0
        },
        {'invariant': 'TSA needs done, hence TSA ≤ TSA-C', 'broken': tsa = 1 and not done},
        {'invariant': 'ARSC ≤ CR', 'broken': arsc > cr},
        {
            'invariant': 'MTATO is defined where TSA is 1',
            'broken': (mtato is not null) <> (tsa = 1) and branch_step is null
        },
        {'invariant': 'SC is defined where ARSC is 1', 'broken': (sc is not null) <> (arsc = 1)},
        {'invariant': 'final SC ≤ SC', 'broken': sc_final > sc},
        {'invariant': 'MCR needs MGD', 'broken': mcr = 1 and mgd = 0},
        {'invariant': 'MGD ≤ TTD', 'broken': mgd > ttd},
        {'invariant': '1 ≤ TTD ≤ max_steps', 'broken': ttd not between 1 and max_steps},
        {'invariant': 'terminated means done', 'broken': done <> terminated},
        {'invariant': 'truncated means not done', 'broken': done = truncated},
        {'invariant': 'a whole episode has a score', 'broken': failed <> (tsa is null)},
        {
            'invariant': 'steps are numbered 1 to n_steps',
            'broken': not failed and (
                n_played <> n_steps - coalesce(branch_step, 0)
                or first_step <> coalesce(branch_step, 0) + 1
                or last_step <> n_steps
            )
        },
        {'invariant': 'every step knows its evidence', 'broken': not failed and lacks_evidence},
        {'invariant': 'the ego is never seen directly', 'broken': most_ego_direct_px > 0}
    ])) as invariant,
    {cell},
    episode_id
from episode.selfid
