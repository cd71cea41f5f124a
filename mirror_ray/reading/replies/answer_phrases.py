"""Phrases by which a reply announces, takes back, declines or qualifies an answer.

Knows English words, and the word for "answer" in a few languages; not what they are made of.
"""

import re

_NAMED = (
    r"(?:(?:my|the|your|our|so|thus|hence|therefore|here is|here's|this|final|correct|right|short|"
    r"direct|best|overall|most likely|one-word),?[ ])*+"
)
LABEL = re.compile(
    rf"(?:(?:part|step|question)[ ]?\d[ ]?[:.)–—-]+[ ]?)?{_NAMED}"
    r"(?:answer|result|solution|verdict|choice|antwort|respuesta|réponse|risposta|resposta)s?"
    r"(?:[ ]is)?[ ]?(?:[:=]|[|–—]|-(?=[ ])|$)[ ]?"
    r"|选(?:择|项)?[ ]?(?:是|为)?[ ]?(?=[A-H])"
    r"|(?:答案|答え|正解|정답|ответ|الإجابة)[ ]?(?:[:：=是为為は—–-]|هي)[ ]?",
    re.IGNORECASE,
)
"""A label in front of an answer, alone on its line or not."""
OUTRIGHT = re.compile(
    r"\b(?:(?:answers?|solution|the[ ](?:correct|right)[ ]\w+"
    r"|the[ ]best[ ](?:answer|choice|option|guess|match|fit|word|term|one|estimate|reading))"
    r"(?:[ ][\w'-]+){0,7}?[ ]"
    r"(?:is|are|would[ ]be|must[ ]be|should[ ]be|has[ ]to[ ]be|will[ ]be|seems[ ]to[ ]be|remains)"
    r"|(?:choice|pick|guess|bet|vote)[ ](?:is|would[ ]be)"
    r"|i(?:'d|'ll|'m|[ ]would|[ ]will|[ ]am)?[ ](?:\w+[ ])?"
    r"(?:say|go(?:ing)?[ ]with|choose|pick|answer|select|settle[ ]on|vote[ ]for))"
    r"(?:[ ]that)?\b(?![ ](?:be|to|why|how|because|different)\b),?:?[ ]?",
    re.IGNORECASE,
)
"""What leads up to an answer that is called one."""
NAMES_THE_ANSWER = re.compile(
    r"[ ](?:is|are|would[ ]be|must[ ]be)[ ](?:(?:therefore|thus|clearly|indeed)[ ])?"
    r"(?:the|my)[ ](?:\w+[ ])?(?:answer|correct|right|choice|solution)\b",
    re.IGNORECASE,
)
"""What follows an answer to call it one."""
TAKEN_BACK = re.compile(
    r"(?:^|[.…,;:!?–—-][ ]?)(?:oh,?[ ]|no,?[ ]|hmm,?[ ]|but[ ])?wait\b"
    r"(?=[,.…!:—–-]|[ ](?:no|that|this|i|actually|let)\b|[ ][–—-]|$)"
    r"|\b(?:hold[ ]on|hang[ ]on|scratch[ ]that|strike[ ]that|on[ ]second[ ]thought|oops|"
    r"my[ ]mistake|(?:let[ ]me|to)[ ]correct[ ]my(?:self|[ ]answer|[ ]mistake)|"
    r"i[ ]made[ ](?:a|an)[ ](?:mistake|error|slip)|"
    r"let[ ]me[ ](?:re-?do|rethink|reconsider|recount|recalculate|re-?check)"
    r"|correction:|actually,?[ ]no\b|no,[ ]actually|i[ ]misread|i[ ]miscounted)",
    re.IGNORECASE,
)
"""What stands before this does not count any more."""
CORRECTED_TO = re.compile(
    r"(?:^|(?<=[.…,;:!?(–—-])|(?<=[.…,;:!?(–—-][ ])|(?<=but[ ])|(?<=[ ])(?=or[ ]rather|i[ ]mean))"
    r"(?:(?P<no>no|nope)[ ]?[,.:;!–—-]+|(?:sorry|correction)[ ]?[,.:;!–—-]+"
    r"|(?:or[ ]rather|i[ ]meant?)\b,?)[ ]"
    r"(?!because\b|since\b|as\b|not\b|if\b|that[ ]would\b)",
    re.IGNORECASE,
)
"""What a few words behind this name takes the place of what stands before it."""
ANOTHER_VERDICT = re.compile(
    r"(?:^(?:actually|hmm|well|rather|sorry)[ ]?[,.:;!–—-]+[ ]?|[ ][–—-]+[ ]"
    r"(?:actually,?[ ]|sorry,[ ])?)(?=(?:yes|no)\b(?![ ]or\b|[ ]doubt))",
    re.IGNORECASE,
)
"""A yes or no behind this takes the place of one before it."""
SAID_BY_OTHERS = re.compile(
    r"\b(?:some(?:one)?|many|most|people|others?|you|one|students?|readers?|it)(?:[ ]\w+){0,3}?[ ]"
    r"(?:might|may|could|often|usually|tend|would)(?:[ ]\w+){0,3}?[ ](?:think|say|guess|assume|"
    r"answer|expect|seem|tempted|argue|believe|look|write|conclude|choose|pick|read|appear)"
    r"|\b(?:someone|somebody|others)(?:[ ]\w+){0,2}?[ ](?:would|might|could)\b"
    r"|\b(?:(?:some|many|most|other)(?:[ ]people)?|people)[ ]"
    r"(?:think|say|believe|assume|guess|answer|credit|attribute|name)"
    r"|\btempt(?:ed|ing|ation)\b|\bat[ ]first(?:[ ](?:glance|sight|look)|,)|\bintuiti"
    r"|\b(?:initially|originally)\b[^.]{0,40}\b(?:seem|thought|looked)"
    r"|\bfirst[ ](?:thought|guess|instinct|impression|reaction)[ ](?:was|is|would)"
    r"|\bcommon[ ](?:mistake|error|misconception|wrong[ ]answer)|\bin[ ]older[ ]books"
    r"|^(?:however|but|that said|still|of course)\b.*\bin[ ](?:the[ ])?"
    r"(?:real[ ](?:world|life)|practice|reality|everyday)",
    re.IGNORECASE,
)
"""An answer that is named, but not given: others', or one at first sight."""
ASIDE = re.compile(
    r"(?:\([^()]{12,}\)$|(?:that|this|it)(?:'s| is| was)(?: not)? "
    r"(?:wrong|right|incorrect|correct)\b(?! (?:to|that))|note|n\.b\.|p\.?s\b|tip\b|fun fact|"
    r"interesting|remember|by the way|e\.g\.|similarly|as a check|check\b|quick check|"
    r"sanity check|verif|proof\b|why:|reason:|"
    r"to (?:check|verify|double-check)|explanation|reasoning|"
    r"for (?:example|instance|context|comparison|reference)|"
    r"first,? (?:we|i|you|one)(?: \w+)? (?:need|must|should|have to) |"
    r"let me (?:know|check|verify|double)|let's|let us|i hope|hope (?:this|that)|feel free|"
    r"would you|do you (?:want|need)|shall i|is there anything|happy to help|"
    r"(?:with|without|including|had|if)\b[^.,;]{1,60},? (?:it|this|that|the \w+) would\b|"
    r"if you(?:'d like| want| need|'re interested| have any)|"
    r"please (?:let|provide|share|tell|clarify|ask)|"
    r"(?:great|good|excellent|interesting|nice|classic) (?:question|one|puzzle)|"
    r"(?:that's|this is|what) an? .{0,40}\b(?:question|puzzle|riddle|one)\b|"
    r"here(?:'s| is| are) (?:how|why|what|the (?:step|reason|break|calc|explan|logic)|a |some|my)|"
    r"(?:sure|certainly|of course|absolutely|okay|ok|alright|hello|hi|thanks|thank you)\b"
    r"[^,]{0,20}!|(?:sure|certainly|okay|ok|alright|of course)[.,:]?$|"
    r"¡?(?:claro|por supuesto|bien sûr|natürlich|klar|gerne)\b.{0,9}!)",
    re.IGNORECASE,
)
"""A statement that begins so is no verdict."""
REFUSED = re.compile(
    r"\bi(?:'m| am)? (?:sorry,? (?:but )?i )?(?:cannot|can't|can not|won't|will not|must decline|"
    r"unable|not able|do not feel|don't feel|do not have|don't have|do not know|don't know|"
    r"have to decline)|\b(?:i'm|i am) (?:sorry|afraid)\b|\bas an ai\b"
    r"|\bi(?:'m| am) not (?:certain|sure)(?: (?:who|what|which|when|where|how|whether|if|about|of)"
    r"\b[^.,;:]*)?[.!]?$",
    re.IGNORECASE,
)
"""A statement that declines."""
AS_OTHERS_SAY = re.compile(
    r"[ ,;–—-]{0,3}\(?(?:and )?(?:not|rather than|contrary to) [^.;()]{0,60}?,? as "
    r"(?:is )?(?:many|most|some|often|commonly|sometimes|people|one)\b[^.;()]{0,40}\)?",
    re.IGNORECASE,
)
"""What an answer is set against in passing: “(not Sydney, as many assume)”."""
BUT = re.compile(
    r"[,;.:–—]? ?\b(?:but|however|still|though|yet|that said)\b,? |, (?=the (?:right|correct) )"
    r"|[;:,–—] ?(?=(?:it|that|he|she|they)(?:'s| is| was|'re| are| were) (?:actually|in fact)\b)"
    r"|[;–—] ?(?=(?:actually|in (?:fact|reality|truth)),? )"
)
"""What follows is said all the same."""
CONCLUDES = re.compile(
    r"(?:so|therefore|thus|hence|consequently|accordingly|finally|overall|altogether|together|total|"
    r"in (?:conclusion|summary|short|total|the end|all)|to (?:sum up|summari[sz]e|conclude)|"
    r"(?:this|that|which) (?:means|leaves|gives|makes)|conclusion|summary|as a result|"
    r"ultimately|bottom line|it follows|"
    r"(?:and )?(?:we|you) (?:get|find|conclude|have|obtain)|final|also|daher|"
    r"por lo tanto|donc|quindi|in other words|either way)\b",
    re.IGNORECASE,
)
"""A conclusion begins so."""
ANSWERS_AT_ONCE = re.compile(
    r"(?:that|it|this|they|these|those|he|she)(?:'s|'d be|'ll be| is| was| are| were| would be)\b",
    re.IGNORECASE,
)
"""A first statement that begins so speaks of what the question asked for."""
CLAUSE = re.compile(
    r"(?:[,;]|[ ][–—-]) (?=(?:and )?(?:so|therefore|thus|hence|"
    r"which (?:means|makes)|meaning) (?!that))"
    r"| (?=and (?:we|you) (?:get|find|obtain) )"
)
"""Where a sentence goes over into its conclusion."""
RULED_OUT = re.compile(
    r"\b(?:not|cannot|neither|nor|missing|lacks|forgets|ignores|omits|wrong|incorrect"
    r"|eliminat\w*|excluded?|ruled? out)\b|n't\b",
    re.IGNORECASE,
)
"""A clause says so of what is no answer."""
LISTED_LETTER = re.compile(r"\(?([A-H])[).:](?= )")
"""An option under its letter."""
