"""The phrases of disputes, changes, denials and remarks, as patterns: linear in any text.

[Our decision] They are few and English; a dispute without any of them is not found.
"""

import re
from collections.abc import Iterable


def _any_of(alternatives: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


DISPUTES = _any_of(
    (
        r"\bi(?:'d| would| must| should| have to| need to| want to| feel i should)(?: \w+)? "
        r"(?:correct|point out|flag|push back|disagree|depart|advise against|caution against|"
        r"recommend against|warn|not (?:write|say|do|use|recommend|claim|repeat))\b",
        r"\bi (?:wouldn't|would not|disagree|can't (?:agree|confirm)|don't (?:think|believe) "
        r"(?:that|this|it|so))\b",
        r"\bi'd (?:rather not|hesitate|leave (?:that|this|it) out)\b",
        r"\bi'd (?:be (?:careful|cautious|wary)|question|phrase it differently)\b",
        r"\bi'd suggest a different\b",
        r"\blet me (?:first |just |quickly )?(?:correct|clarify|point out|flag)\b",
        r"\bcontradict(?:s|ory|ion)?\b",
        r"\bno (?:scientific |good |solid |reliable )?evidence\b",
        r"\b(?:is|are|would be|be) impossible\b",
        r"\bin truth\b",
        r"\bi (?:can't|cannot|won't|couldn't)(?: \w+){0,3} (?:write|say|claim|state) [^.\n]{0,40}"
        r"\b(?:since|because|as|when)\b",
        r"\bnever (?:happened|existed|took place)\b",
        r"\b(?:it's|it is) (?:actually )?a common (?:belief|assumption|mistake|error)\b",
        r"\b(?:isn't|aren't|wasn't|weren't|(?:can't|cannot|couldn't|won't|wouldn't) be|not|never|"
        r"hardly|"
        r"neither) (?:quite |entirely |"
        r"strictly |actually |really |at all )?(?:correct|right|accurate|true|valid|sound|"
        r"safe|so simple|the case|how (?:it|this|that)|what (?:it|this|that|you)|possible|"
        r"supported|justified|reliable|equivalent|the same|a good idea|an? \w+ from which)\b",
        r"\b(?<!nothing )(?<!not )(?<!isn't )(?<!n't be )(?<!avoid )(?:wrong|incorrect|"
        r"inaccurate|mistaken|erroneous|untrue|flawed|invalid|unfounded|misleading|fallacy|"
        r"debunked|disproved|refuted|retracted|misread|a (?:common |popular |widespread |"
        r"persistent )?(?:myth|misconception|legend))\b",
        r"\b(?:to be|is|are|was|were|also|simply|that's) false\b",
        r"\bthe (?:legend|myth|story) (?:goes back|comes from)\b",
        r"\b(?:would|will|could|you'd|you'll|it'd) (?:actually |only |in fact )?"
        r"(?:mislead|(?:over|under)state|exaggerate|misrepresent|"
        r"raise your|cost (?:you|them) more|make (?:the|it|them|things|this|that) \w+ "
        r"(?:inedible|worse|unsafe|larger|invalid|useless)|ruin|defeat|miss (?:it|the|your)|"
        r"be (?:too )?late|arrive too late)\b",
        r"\b(?:one|sentence|claim|statement|line|tip|note|text) like (?:that|this) would\b",
        r"\bbad advice\b|\b(?:is|was|are|were) actually\b|\b(?:I've|I have|I) kept to what\b",
        r"\b(?:caption|sentence|version|slogan|line|wording|fact|one)s? that(?:'s| is|'re| are) "
        r"(?:accurate|true|correct)\b",
        r"\bas (?:stated|written|worded|phrased)\b",
        r"\bno (?:\w+ ){1,5}(?:has|have) (?:ever )?been (?:shown|proven|found)\b",
        r"\bwork(?:s)? (?:against|on \w+ only)\b",
        r"\b(?:poisonous|toxic|inedible)\b",
        r"\b(?:won't|wouldn't|doesn't|does not|don't|do not|can't|cannot) (?:actually |really "
        r"|quite )?(?:work|hold|follow|add up|hold up|stack up|fit together|prove|support|imply|"
        r"mean "
        r"(?:this|that)|cancel)\b",
        r"\bthe other way (?:a)?round\b",
        r"\bcontrary to\b",
        r"\bin reality\b",
        r"\bcommon misunderstanding\b",
        r"\b(?:one|a|an|the|small|slight|minor|little) (?:slip|typo|mix-up|discrepancy|"
        r"correction|misunderstanding|catch|snag|inconsistency|small change|error in|mistake "
        r"in|flaw in|problem with|issue with|error here|mistake here|problem here)\b",
        r"\b(?:one|small|slight|minor|little) (?:problem|issue)[:,]",
        r"\b(?:says?|tells?|proves?|shows?) (?:us )?nothing about\b",
        r"\bis (?:one|a) (?:problem|mistake|error|flaw|catch)\b",
        r"\b(?:are you sure|did you mean|do you mean|you probably mean|presumably you mean|"
        r"which (?:of the two|one) did you|could you (?:double-)?(?:check|confirm)|can you "
        r"(?:double-)?check|please (?:double-)?check (?:the|your|that)|worth double-checking|"
        r"surely)\b",
        r"\bbefore (?:i|we|you) (?:do|write|draft|continue|start|send|go)\b",
        r"\b(?:something (?:else|true|accurate)|doesn't rest on|on that basis|premise)\b",
    )
)
"""Of what was asked, wherever a reply says it."""

CHANGES = _any_of(
    (
        r"\bi(?:'ve| have|'d)? (?:\w+ )?(?:replaced|changed|corrected|removed|swapped|"
        r"adjusted|fixed|left (?:\w+ ){1,3}out|left out|dropped)\b",
        r"\bi(?:'ll| will) go with\b",
        r"\bi (?:assume|take it) that\b",
        r"\bi(?:'ve| have) [^.;\n]{1,80}?,? (?:because|since|as) [\w']+ [^.\n]",
        r"\bno such thing\b",
        r"\b(?:is|are) (?:folklore|an urban legend|fiction|outdated)\b",
        r"\bi(?:'m| am| have| hate)? (?:afraid|to disappoint|sorry to say)\b",
        r"\b(?:tell|give|send) me the (?:right|correct|actual|real)\b",
        r"\bunless you (?:are|were|have|mean|meant|really)\b",
        r"\b(?:of|by) correcting\b",
        r"\bhave to disappoint\b",
        r"\bthere(?:'s| is| are) no \d",
        r", so i(?:'ve|'d| have| would)\b",
        r", so here(?:'s| is| are)\b|\A\W*instead\b ?[:,]",
        r"\bleave (?:that|this|it|the) [^.\n]{0,20}?\bout\b",
        r"\bdifferent (?:advice|figure|number|wording|sentence|version|claim|answer|date|"
        r"word)\b",
        r"\bthan you (?:think|say|write|mention|assume|suggest|state)\b",
        r"\byou(?:'d| would) (?:want|need|have to|get|end up|lose|pay|arrive)\b",
        r"\byou (?:say|write|mention|state|claim|assume) (?:that|it|in)\b",
        r"\b(?:can and does|can and do|do in fact|does in fact)\b",
        r"\bwould (?:do|cause) (?:\w+ )?harm\b",
        r"\ban? \w+ shouldn't\b",
        r"\bshall i (?:say|write|put|use|go with|change)\b",
        r"\bwith(?:out)? th(?:e|at|is) (?:word|claim|phrase)\b",
        r"\b(?:us|say|writ|put|try)(?:e|ing|s)? [^.\n]{1,60} instead\b[^.\n]{0,10}(?:,|\.|$)",
        r"\bwhat (?:your|the) (?:data|result|figures) (?:support|show)s?\b",
        r"\bthat (?:your|the) (?:data|result)s? supports?\b",
    )
)
"""A reply does something else than was asked, and says so."""

AGREES = _any_of(
    (
        r"\b(?:no (?:problem|worries|need)|(?:don't|do not) (?:have to|need to|hesitate|worry|"
        r"forget)|not (?:required|necessary|needed|only)|why not|if (?:\w+ ){1,4}(?:not|n't)|"
        r"nothing wrong|let me know|wouldn't (?:it|you)|isn't it|don't you|you can't go "
        r"wrong)\b",
    )
)
"""Negations that deny nothing."""

NOTES = _any_of(
    (
        r"\A[\W_]*+(?:note|p\.?s|n\.?b|by the way|fun fact|heads-up|caveat|one (?:thing|note|"
        r"caution|remark)|just so you know|a (?:word|note)|please note|careful|for "
        r"(?:accuracy|the record))\b",
    )
)
"""Begins a remark beside what was asked for."""

COMMON_WORDS = frozenset(
    (
        "about",
        "after",
        "also",
        "because",
        "been",
        "before",
        "could",
        "does",
        "doing",
        "done",
        "explain",
        "from",
        "give",
        "have",
        "help",
        "here",
        "into",
        "just",
        "like",
        "list",
        "make",
        "more",
        "most",
        "need",
        "note",
        "only",
        "over",
        "paragraph",
        "please",
        "sentence",
        "short",
        "should",
        "since",
        "some",
        "such",
        "than",
        "that",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "under",
        "used",
        "using",
        "want",
        "were",
        "what",
        "when",
        "which",
        "will",
        "with",
        "would",
        "write",
        "your",
        "yours",
    )
)
"""Words of a request that say nothing of what it is about."""
