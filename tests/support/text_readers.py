"""Every reader of text from outside, as a function of that text alone.

Modules that look into text and are no such reader are listed with the reason, so that none is
forgotten.
"""

from collections.abc import Mapping

from mirror_ray.analysis.report import latex
from mirror_ray.core import terminal
from mirror_ray.viewer import responses
from support.readers_of_calls import of_calls
from support.readers_of_metacog import of_metacog
from support.readers_of_prompts import of_prompts
from support.readers_of_replies import of_replies
from support.readers_of_servers import of_servers
from support.text_reader import TextReader

READERS: tuple[TextReader, ...] = (
    *of_replies(),
    *of_metacog(),
    *of_prompts(),
    *of_calls(),
    *of_servers(),
    TextReader("mirror_ray.core.terminal", "prose", lambda text: terminal._wrapped(text, 80)),
    TextReader("mirror_ray.viewer.responses", "page number", responses._page_number),
    TextReader("mirror_ray.analysis.report.latex", "name", latex.escaped_latex),
)

_FILES = "files, which are read whole with a bound of their own"
_OURS = "text of our own"
_PARTS = "called by its reader, reading.commitment"
_RECORDS = "records of a run, by their form"
NO_READERS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "mirror_ray.analysis.export.croissant",
            "mirror_ray.analysis.export.eee",
            "mirror_ray.api.process",
            "mirror_ray.api.running",
            "mirror_ray.families.selfid.gym_environment",
            "mirror_ray.analysis.export.inspect_samples",
            "mirror_ray.analysis.report.across.ablations",
            "mirror_ray.analysis.report.drawing",
            "mirror_ray.analysis.report.files",
            "mirror_ray.analysis.report.files",
            "mirror_ray.analysis.report.page",
            "mirror_ray.analysis.report.paper",
            "mirror_ray.analysis.episode_tables",
            "mirror_ray.analysis.part_rows",
            "mirror_ray.analysis.reading",
            "mirror_ray.analysis.shards",
            "mirror_ray.analysis.sql_files",
            "mirror_ray.analysis.sql_file",
            "mirror_ray.analysis.family_sql",
            "mirror_ray.core.plugins",
            "mirror_ray.core.shipped_files",
            "mirror_ray.analysis.sql_files",
            "mirror_ray.analysis.warehouse",
            "mirror_ray.core.child_environment",
            "mirror_ray.cli.mock",
            "mirror_ray.cli.show",
            "mirror_ray.cli.doctor_sweep",
            "mirror_ray.engine.control.address",
            "mirror_ray.engine.control.client",
            "mirror_ray.engine.control.control_socket",
            "mirror_ray.engine.control.requests",
            "mirror_ray.engine.driver.notifier",
            "mirror_ray.sweep.notify",
            "mirror_ray.families.metacog.bank_report",
            "mirror_ray.families.metacog.levels.arithmetic",
            "mirror_ray.families.metacog.levels.procedural",
            "mirror_ray.viewer.live_page",
            "mirror_ray.replay.episode",
            "mirror_ray.core.identity",
            "mirror_ray.providers.image_tokens",
            "mirror_ray.families.textmirror.agents.styles",
            "mirror_ray.families.metacog.bank.transfer",
            "mirror_ray.families.metacog.bank.keys",
            "mirror_ray.world.opengl.context",
            "mirror_ray.world.drawing_check.process",
            "mirror_ray.world.drawing_check.together",
            "mirror_ray.cli.variables",
            "mirror_ray.providers.templated_endpoint",
        ),
        _OURS,
    ),
    **dict.fromkeys(
        (
            "mirror_ray.audit.files",
            "mirror_ray.core.plain_json",
            "mirror_ray.core.plain_yaml",
            "mirror_ray.core.yaml_faults",
            "mirror_ray.providers.known_models",
            "mirror_ray.attestation.comparison",
            "mirror_ray.attestation.envelope",
            "mirror_ray.records.environment",
            "mirror_ray.sweep.registration",
            "mirror_ray.sweep.sharding",
            "mirror_ray.core.yaml_places",
            "mirror_ray.cli.sweeps",
            "mirror_ray.cli.arguments",
            "mirror_ray.sweep.source_file",
            "mirror_ray.providers.name_ranges",
            "mirror_ray.providers.catalogue_secrets",
            "mirror_ray.contract.published_texts",
            "mirror_ray.sweep.prompt_sets",
            "mirror_ray.core.spelling",
            "mirror_ray.sweep.interpolation",
            "mirror_ray.families.metacog.published",
            "mirror_ray.families.mirrorqa.folder",
            "mirror_ray.families.textmirror.published_prompts",
            "mirror_ray.families.textmirror.seeds",
        ),
        _FILES,
    ),
    **dict.fromkeys(
        (
            "mirror_ray.analysis.model_facts",
            "mirror_ray.audit.store",
            "mirror_ray.analysis.report.across.provenance",
            "mirror_ray.analysis.report.cells",
            "mirror_ray.analysis.report.markdown",
            "mirror_ray.analysis.summary_cells",
            "mirror_ray.viewer.html",
            "mirror_ray.cli.row_formats",
            "mirror_ray.api.table",
            "mirror_ray.records.sandboxed_duckdb",
            "mirror_ray.records.head_claim",
            "mirror_ray.records.journal.entry",
            "mirror_ray.records.rows.codec",
            "mirror_ray.records.journal.database",
            "mirror_ray.records.journal.read_only",
            "mirror_ray.records.journal.segment",
            "mirror_ray.records.head_lease",
            "mirror_ray.records.rundir",
            "mirror_ray.records.live_counts",
            "mirror_ray.records.run_log",
            "mirror_ray.records.manifest",
            "mirror_ray.records.shard_files",
            "mirror_ray.records.shards.merging",
            "mirror_ray.records.sweep_identity",
            "mirror_ray.records.shard_checks",
            "mirror_ray.records.storage",
        ),
        _RECORDS,
    ),
    **dict.fromkeys(
        ("mirror_ray.providers.openai_endpoint", "mirror_ray.providers.plugged_endpoint"),
        "writes JSON; providers.chat_completion reads what comes back",
    ),
    "mirror_ray.reading.json_repairing": "called by its reader; bounded in looks at characters",
    "mirror_ray.providers.mock.chat_wire": "requests on loopback to the mock server",
    **dict.fromkeys(
        (
            "mirror_ray.providers.mock.mock_openai",
            "mirror_ray.providers.mock.mock_anthropic",
            "mirror_ray.providers.mock.mock_gemini",
            "mirror_ray.providers.mock.mock_server",
        ),
        "files and batches on loopback to the mock server",
    ),
    **dict.fromkeys(
        (
            "mirror_ray.providers.batches.anthropic_batches",
            "mirror_ray.providers.batches.gemini_batches",
            "mirror_ray.providers.batches.openai_batches",
            "mirror_ray.providers.batches.wire",
        ),
        "bodies within bounds, read by its field names",
    ),
    "mirror_ray.api.queries": "the query that its caller wrote",
    **dict.fromkeys(
        (
            "mirror_ray.forms.form",
            "mirror_ray.families.mirrorqa.form",
            "mirror_ray.forms.of_schema",
            "mirror_ray.forms.of_words",
        ),
        "prompts, which are sent to models at the same length; each pattern is linear",
    ),
    "mirror_ray.people.server": "an address and a form, bounded by the server",
    "mirror_ray.providers.persons": "a name, bounded by its pattern",
    "mirror_ray.pages.access": "a header, bounded by the server",
    "mirror_ray.viewer.filters": "an address, bounded by the server",
    "mirror_ray.viewer.server": "an address, bounded by the server",
    "mirror_ray.audit.page": "requests on loopback, each bounded by its server",
    **dict.fromkeys(
        (
            "mirror_ray.reading.kinds.times",
            "mirror_ray.reading.number_words",
            "mirror_ray.reading.grammar",
            "mirror_ray.reading.standing",
            "mirror_ray.reading.plain_words",
            "mirror_ray.reading.replies.statements",
            "mirror_ray.families.metacog.steps",
        ),
        _PARTS,
    ),
    **dict.fromkeys(
        (
            "mirror_ray.reading.languages.lexicon",
            "mirror_ray.reading.languages.corrections",
            "mirror_ray.reading.walking.reply_words",
            "mirror_ray.families.selfid.prompts",
            "mirror_ray.agents.walking.text",
            "mirror_ray.reading.key_names",
        ),
        "called by their readers, which are run in every language",
    ),
    "mirror_ray.reading.walking.coercion": "called by its reader, tasks.selfid.reply",
    "mirror_ray.families.metacog.agents.guesser": "prompts of our own, in rehearsals",
    "mirror_ray.reading.object_choice": "called by its reader, tasks.selfid.reply",
}
