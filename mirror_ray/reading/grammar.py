"""The forms in which a reply commits itself to an answer, and what voids them.

docs/reading.md has the table with an example of each form. A form is looked for in one sentence or
line at a time; its content is read by the kind of answer that the question asks for.
"""

import re

_CALLED = (
    r"(?:(?:my|the|your|our|so|thus|hence|therefore|and|here is|this is|final|correct|right|short"
    r"|best|direct|overall|chosen|selected|most likely|one-word)[,:]?[ ]){0,4}"
)
_NOUN = (
    r"(?:answers?|ans|choice|option|verdict|selection|pick|tl;?dr|solution|lösung|solución"
    r"|antwort|respuesta|réponse|risposta|resposta)"
)
LABEL = re.compile(
    rf"(?:(?:part|step|question|task)[ ]?\d[ ]?[:.)–—-]{{1,2}}[ ]?)?(?P<called>{_CALLED}){_NOUN}"
    r"(?:[ ](?:is|was|lautet|es|est|here))?[ ]?(?:[:=|]|[–—-](?=[ ])|$)[ ]?"
    r"|(?:答案|答え|正解|回答|选择|정답|답|ответ|الإجابة)[ ]?(?:[:=—–-]|是|は|为|$)[ ]?",
    re.IGNORECASE,
)
"""Form 1, a labelled line: “ANSWER: 42”, “**Final answer:** B”, “Answer” above its own line."""

OUTRIGHT = re.compile(
    r"(?<!不)(?:(?:答案|答え|正解)(?:是|为|は|:|=)|选择?|選択肢|正解は|정답은?)"
    r"[ ]?[「（(]?(?=[A-H])"
    r"|\b(?:antwort|réponse|respuesta|resposta|risposta|richtig)(?:[ ]\w+)?[ ](?:ist|est|es|é|è"
    r"|lautet)"
    r"(?:[ ](?:donc|also|somit|la|le|el|die|der|antwort))*:?[ ]|"
    r"\b(?:(?:the|my|your|our)[ ](?:(?:final|correct|right|best|likely|actual|only|most"
    r"|short)[ ]){0,3}"
    r"(?:answer|choice|option|pick|guess|solution|result|one|letter|match|conclusion)"
    r"(?:[ ](?:here|(?:to|for|of)[ ][\w' -]{1,40}?))?[ ]"
    r"(?:is|would[ ]be|must[ ]be|should[ ]be|has[ ]to[ ]be|will[ ]be)"
    r"|(?:correct|right)[ ](?:is|answer|option|choice):?"
    r"|i(?:'d|'ll|'m|[ ]would|[ ]will|[ ]am)?[ ](?:therefore[ ]|would[ ]|have[ ]to[ ])?"
    r"(?:say|go(?:ing)?[ ](?:with|for)|choose|pick|answer|select|settle[ ]on|opt[ ]for|vote[ ]for)"
    r"|answer(?=:))"
    r"(?:[ ](?:therefore|thus|hence|clearly|definitely|simply|indeed|then|actually|now|option|that"
    r"|most[ ]likely|probably))?\b(?![ ](?:be|to|why|how|because|different)\b)[,:]{0,2}[ ]?",
    re.IGNORECASE,
)
"""Form 4, a sentence that names its answer: “the answer is 42”, “I'll go with B”."""

IS_THE_ANSWER = re.compile(
    r"[ ](?:is|are|would[ ]be|must[ ]be|has[ ]to[ ]be)[ ](?:(?:therefore|thus|clearly|indeed)[ ])?"
    r"(?:(?:the|my)[ ](?:only[ ]|final[ ]|best[ ])?(?:answer|correct\b|right\b|choice|solution"
    r"|best[ ](?:answer|choice|option|match|fit))|(?:correct|right)(?=[.!,;:]|$|[ ](?:because"
    r"|since|as|here)\b))",
    re.IGNORECASE,
)
"""Form 5, an answer that is called one: “Canberra is the correct answer”."""

CONCLUDES = re.compile(
    r"(?:(?:and|so)[, ]+)?(?:so|therefore|thus|hence|consequently|accordingly|finally|overall"
    r"|in total|in all|altogether"
    r"|in conclusion|in short|to conclude|as a result|conclusion:|it follows that|this means"
    r"|that means|which means|daher|also|por lo tanto|donc|quindi)\b(?! far| on\b| called"
    r"|-)[,:]?[ ]?(?:that )?",
    re.IGNORECASE,
)
"""Form 9, a concluding sentence: “Therefore, 723 seats are free.”"""

SO = re.compile(
    r"(?:[,;:—–-]|\band)[ ](?:so|therefore|thus|hence|consequently|which means|that means"
    r"|meaning)[ ,](?! far| called)(?:that )?",
    re.IGNORECASE,
)
"""Where a sentence goes over into its conclusion: “Olga is a liar, so no.”"""

FINAL = re.compile(r"\bfinal", re.IGNORECASE)
"""The last of several labelled lines counts only where it is called final."""

TAKEN_BACK = re.compile(
    r"(?:^|[.…,;:!?(–—-][ ]{0,2})(?:oh,?[ ]|no,?[ ]|hmm,?[ ]|but[ ]|ah,?[ ])?wait\b"
    r"(?=[,.…!:–—-]|[ ](?:no|that|this|i|actually|let)\b|[ ][–—-]|$)(?:[ ,]{0,3}(?:no|actually"
    r"|sorry)\b)?"
    r"|\b(?:hold[ ]on|hang[ ]on|scratch[ ]that|strike[ ]that|on[ ](?:second[ ]thought|reflection"
    r"|closer[ ]\w+)|oops"
    r"|my[ ]mistake|make[ ]that|(?:let[ ]me|to)[ ]correct[ ](?:my(?:self|[ ]answer|[ ]mistake)?"
    r"|that)"
    r"|i[ ]made[ ](?:a|an)[ ](?:mistake|error|slip)|i[ ]was[ ]wrong|that(?:'s|[ ]is"
    r"|[ ]was)[ ](?:wrong|not[ ]right)"
    r"|let[ ]me[ ](?:re-?do|re-?think|reconsider|recount|recalculate|re-?check|re-?examine|double)"
    r"|correction\b|or[ ]rather|i[ ](?:meant|mean)\b|i[ ]misread|i[ ]miscounted|apologies"
    r"|i[ ]apologi[sz]e"
    r"|change[ ]my[ ](?:answer|mind)|chang(?:e|ed|ing)[ ]that|actually,?[ ]no\b"
    r"|no,[ ]actually)[,.:;!–— -]{0,4}"
    r"|^(?:hmm|actually|sorry|rather|no)\b(?=[ ]?[,.:;!…–—-])"
    r"|[.…;!?–—,][ ]?(?:nope|sorry|actually)[,.:;!–—-]+[ ]|(?:[.…;!?–—]|[ ]-)[ ]?no[,.:;!–—-]+[ ]"
    r"|\b(?:es decir|mejor dicho|moment mal|besser gesagt|更正|不对|等等|訂正)",
    re.IGNORECASE,
)
"""A reply takes back what precedes these words."""

REFUSED = re.compile(
    r"\bi(?:'m| am)? (?:sorry,? (?:but )?i )?(?:cannot|can't|can not|won't|will not|must decline"
    r"|unable|not able|do not feel|don't feel|do not have|don't have|do not know|don't know"
    r"|have to decline|am not sure)|\b(?:i'm|i am) (?:sorry|afraid|not sure|unsure)\b|\bas an ai\b"
    r"|\b(?:cannot|can't|can not|could not|couldn't) be (?:determined|known|told|answered"
    r"|identified|read)\b"
    r"|\b(?:not enough|insufficient|no) information\b|\bimpossible to (?:say|tell|know)\b"
    r"|\bhard to (?:say|tell)\b|\b(?:no|any) idea\b",
    re.IGNORECASE,
)
"""A sentence that declines or does not know."""

NOT_OWN = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|assuming|would have|imagine|unlike)\b"
    r"|\b(?:might|may|could|can) (?:also )?(?:be|have|seem|look|appear|think|say|guess|answer"
    r"|expect|read|mean|conclude)\b"
    r"|\b(?:some|someone|somebody|many|most|people|others?|students?|readers?|anyone|one|you|we)"
    r"(?: \w+){0,2}? (?:think|thinks|say|says|guess|assume|assumes|answer|expect|believe|argue"
    r"|claim|would|might|may|could)\b"
    r"|\b(?:tempt\w*|at first|first (?:thought|guess|impression|glance|instinct)|initial\w*"
    r"|intuiti\w*"
    r"|naive\w*|misconception|common (?:mistake|error)|wrong answer|e\.g\.|for example|for instance"
    r"|for comparison|similarly|in theory|example)\b"
    r"|\bfrom (?:the (?:viewer|camera|observer|photographer)'s|our|my"
    r"|your)(?: own)? (?:perspective|view|viewpoint|side|point)"
    r"|\b(?:maybe|perhaps|possibly|either)\b|\?$",
    re.IGNORECASE,
)
"""Others' answers, answers at first sight, guesses among several, and what would be so if."""

DENIED = re.compile(
    r"\b(?:not|never|neither|nor|cannot|wrong|incorrect|false|mistaken|eliminat\w*|rul(?:e|ed|es"
    r"|ing) out"
    r"|exclud\w*|except|besides|instead of|rather than)\b|n't\b",
    re.IGNORECASE,
)
"""A sentence that denies."""

ALTERNATIVE = re.compile(
    r"[ ,;:(–—/.-]{0,4}\b(?:or|oder|maybe|perhaps|possibly|alternatively|and/or)\b"
    r"|[ ]?/[ ]?\w|[ ]?(?:[–—-]|to|through|bis)[ ]?[$€£]?\d",
    re.IGNORECASE,
)
"""Behind an answer it names another one."""

_BECAUSE = (
    r"because|since|as|for|due|given|which|where|while|though|although|rather than|instead of"
    r"|so|whereas|and not|with|when|from|over|than|according"
)
REASON = re.compile(rf"[;—(]|[ ][–-][ ]|,[ ]|[.!](?:[ ]|$)|[ ](?:{_BECAUSE}|but)\b", re.IGNORECASE)
NUMBER_REMARK = re.compile(
    rf"[;—(]|[ ][–-][ ](?=[a-z])|,[ ]|[.!](?:[ ]|$)|[ ](?:{_BECAUSE}|but)\b", re.IGNORECASE
)
NEVER = re.compile(r"(?!)")
WORDS_REMARK = re.compile(
    r"[;—(]|[ ][–-][ ]|,[ ](?!but\b|and\b)|[.!](?:[ ]|$)"
    r"|[ ](?:because|since|as|which|though|although|while|whereas|so)\b",
    re.IGNORECASE,
)
LIST_REMARK = re.compile(
    r"[;—(]|[.!](?:[ ]|$)|,?[ ](?:because|since|as|so|which|where)\b", re.IGNORECASE
)
"""Where what follows an answer begins: a reason, a remark, a contrast."""

IT_IS = re.compile(
    r"\A(?:(?:it|that|this|he|she|they)(?:'s|'d be| is| are| was| were| will be| would be"
    r"| must be| has to be| should be| leaves)"
    r"|(?:which|that) leaves|leaving)(?: (?:therefore|thus|definitely|clearly|actually|then"
    r"|most likely|probably|only))? (?!not\b)"
    r"|\A(?:probably|most likely|definitely|clearly|certainly|obviously|i'd say|i (?:think"
    r"|believe) (?:that )?(?:it's|it is|it was)|es|c'est)[ ,]+(?!not\b)",
    re.IGNORECASE,
)
"""Words before a bare answer: “It is B”, “That leaves 42”, “Probably Canberra”."""

CONTRAST = re.compile(
    r"(?:,)[ ]?(?:and[ ])?(?:not|nicht|rather than|instead of|unlike"
    r"|as opposed to) [^.,;:\n]{1,60}(?=[.,;!]|$)"
    r"|[ ]?\((?:not(?! (?:me|mine|it|this|that|correct|right|true)\b)|rather than|instead of"
    r"|and not) [^()\n]{1,60}\)",
    re.IGNORECASE,
)
"""What an answer is set against: “west, not east”."""

CONDITION = re.compile(
    r"(?:if|when|given|since|as|because)\b [^,\n]{1,160}, (?:then )?", re.IGNORECASE
)
"""A clause before the main one: “If you double the recipe, …”."""

DECLINES_BUT = re.compile(r"\A[^.\n]{1,120}?[,;] (?:but|however,?) ", re.IGNORECASE)
"""“I can't use a calculator, but 6 × 7 = 42” answers."""

ASIDE = re.compile(
    r"(?:\([^()]{12,}\)$|note\b|n\.b\.|p\.?s\b|tip\b|fun fact|remember|by the way|as a check"
    r"|check\b"
    r"|quick check|sanity check|verif|why\b|reason\b|explanation|reasoning|bonus"
    r"|to (?:check|verify|double-check|find|solve|determine|calculate|figure|answer|get|see)\b"
    r"|let me|let's|let us|i hope|hope (?:this|that)|feel free"
    r"|would you|do you|shall i|is there|happy to|if you(?:'d like| want| would like| have any"
    r"| need (?:any|more|help)|'re interested)|please|(?:great|good|excellent|interesting|nice"
    r"|classic|fun) (?:question|one|puzzle)"
    r"|(?:that's|this is|what) an? .{0,40}\b(?:question|puzzle|riddle|one)\b"
    r"|here(?:'s| is| are)\b|(?:sure|certainly|of course|absolutely|okay|ok|alright|hello|hi"
    r"|thanks|thank you)\b"
    r"[^,]{0,20}!|(?:sure|certainly|okay|ok|alright|of course)[.,:]?$"
    r"|¡?(?:claro|por supuesto|bien sûr|natürlich|klar|gerne)\b.{0,9}!)",
    re.IGNORECASE,
)
"""A sentence around the answer: a greeting, an offer, a note, an announcement of steps."""
