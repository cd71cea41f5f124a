"""How models announce, choose, deny, hedge, correct and set off an option: patterns alone.

Every pattern is linear in the text that it is run on; where one is run many times on one line, its
caller bounds how far it looks.
"""

import re

WRAPPING = " \t\r\n.,;:!?()[]{}$'\"‘’-–—=→"
MARKER = re.compile(
    r"(?:\b(final\s{1,3})?(?:answer(?: \d{1,2})?|ans|choice|option|output|verdict|selection"
    r"|conclusion|result|final(?=\s{0,3}:)|r[eé]ponse|antwort|respuesta|resposta|risposta"
    r"|(?:correct|right|best) (?:one|letter)(?= is\b)|(?:best|closest) (?:match|fit)(?= is\b)"
    r"|antwoord|alternativa|jawaban(?: yang benar)?|cevap|odpowiedź|tl;?dr"
    r"|best(?= is\b)|richtig(?= ist\b))\b"
    r"(?: correcta| correcte| correta| corretta| here)?"
    r"|答案?|选项|選項|回答|答え|正解|正确的(?=[是为:])|정답|ответ|الإجابة(?: الصحيحة)?|الجواب)"
    r"['’)\]]{0,2}\s{0,3}(?:(?:is|was|are|would be|should be|must be|has to be|est|ist|es"
    r"|é|è|lautet|adalah|هي|هو)(?!\w)|[是为為は은는:=→–—-])+"
    r"(?:\s{1,3}(?:therefore|thus|hence|then|clearly|likely|most likely|probably|indeed|actually"
    r"|definitely|simply|now|donc|also|somit|la|le|el|die|der|das)\b(?![,.:;]))*"
    r"|\bfinal (?:answer|choice)(?=\s{1,3}[(\[]?[A-D]\b)",
    re.IGNORECASE,
)
CHOOSES = re.compile(
    r"\b(?:choose|chose|pick(?:ed)?|select(?:ed)?|(?:go|going|went) (?:with|for)|settle on"
    r"|guess(?: is| it'?s| it is)?|i(?:['’]d| would)? say"
    r"|it (?:is|must be|should be|has to be)"
    r"|it['’]s|that(?:['’]s| is)|this is|i(?:['’]m| am) (?:leaning|inclined) (?:towards?|to)"
    r"|think(?: it['’]s| it is)?|believe(?: it['’]s| it is)?|match(?:es)?|corresponds? to"
    r"|lean(?:ing)? towards?|therefore|thus|hence|probably|most likely|definitely|clearly|actually"
    r"|wait|correction"
    r"|i meant?|make that|on reflection|on second thought|i(?:['’](?:d|ll)| would| will) answer"
    r"|i(?:['’]ll| will) say"
    r"|chang(?:e|ed|ing)(?: (?:my|the) (?:answer|choice|mind))?(?: from [A-D])? to"
    r"|on closer (?:inspection|look),?|mak(?:es|ing) it"
    r"|wähle|nehme|choisis|elijo|escojo|escolho|scelgo|выбираю|kies"
    r"|leav(?:es|ing)(?: us| me)?(?: with)?(?: only)?|lean|likely|that would be"
    r"|(?:would|will) (?:then )?be"
    r"|(?:monkey|it)(?: would| will| can)? sees?)\b|选择?|選択?",
    re.IGNORECASE,
)
LETTER = re.compile(
    r"(?:(?:the |a |la |die |den )?(?:correct |right )?(?:option|letter|choice|answer|antwort"
    r"|réponse|opción|opção|opzione|letra|lettre|lettera|buchstaben?)"
    r"\s{1,3}|(?:选项|選項|選択肢)\s{0,3})?[(\[]?([A-Da-d])"
    r"(?![A-Za-z0-9'’])",
    re.IGNORECASE,
)
CALLED = re.compile(r"\A(?:the )?(?:option|answer|choice):? ", re.IGNORECASE)
REASON = re.compile(
    r"(?:because|since|as|for|given|due|here|(?:even )?though"
    r"|although|while|despite|which|where|when|if|rather than|instead of|over|from"
    r"|from the|and not|but not|to be safe|it is(?! not\b)"
    r"|is what (?:the )?(?:monkey|toy|animal|it)\b"
    r"|(?:is|seems|looks|appears|must be|would be|should be) (?:to be )?(?:the )?"
    r"(?:most )?(?:correct|right|best|accurate|answer|true|likely))\b",
    re.IGNORECASE,
)
ANOTHER = re.compile(
    r"[)\]]?\s{0,3}(?:,|/|&|\+|-|–|\band\b|\bor\b)\s{0,3}(?:either |maybe |possibly |perhaps )?"
    r"(?:option )?[(\[]?[A-D](?![A-Za-z0-9'’])"
)
CONTRAST = re.compile(
    r"[).,;:–—-]{0,2} {0,2}\(?(?:and |but |а )?(?:not|nicht|pas|non|не) (?:option )?"
    r"[(\[]?[A-D](?![A-Za-z0-9'’])",
    re.IGNORECASE,
)
HEDGED = re.compile(
    r"\b(?:or|maybe|perhaps|possibly|alternatively)\b[ ,]{0,2}(?:maybe |possibly |perhaps |even )?"
    r"(?:(?:it )?(?:could|might|may) be )?(?:option )?[(\[]?[A-D](?![A-Za-z0-9'’])"
)
DENIED = re.compile(
    r"(?:(?:is|was|are|seems|looks|would be|can be) )?(?:not|never|wrong|incorrect|false|ruled out"
    r"|eliminated|excluded|out|impossible)\b"
    r"|(?:isn|wasn|can|won|doesn|don|couldn|wouldn)['’]t\b|cannot\b"
    r"|is what (?:the viewer|i|we|you)\b",
    re.IGNORECASE,
)
DENIAL = re.compile(
    r"\b(?:not|no|nor|never|neither|cannot|unable|wrong|incorrect|false|unless|without)\b|n['’]t\b",
    re.IGNORECASE,
)
DENIES_NEXT = re.compile(r"\b(?:not|never|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_IF = (
    r"\b(?:unless|suppose|supposing|assuming|would have been|if)\b"
    r"(?! i (?:had|have|must)| forced| i (?:were|was|am) the (?!viewer|camera|observer))"
)
CONDITIONAL = re.compile(_IF, re.IGNORECASE)
SUPPOSES = re.compile(
    rf"{_IF}"
    r"|\b(?:initially|at first|first impression|naively|tempting|i thought|(?:might|may) think)\b"
    r"|\b(?:one|you|it|some|many|people)(?:['’]d| might| may| could| would) (?:first |easily )?"
    r"(?:think|say|guess|assume|expect|look|seem|appear|conclude|pick|choose|select|answer|opt"
    r"|go (?:for|with)|be tempted)\b|\bcareless\b"
    r"|\b(?:first|initial|earlier|previous|naive) (?:guess|thought|idea|instinct|answer|pick"
    r"|choice|reading)\b|\b(?:draft|preliminary|tentative)\b",
    re.IGNORECASE,
)
OTHER_EYES = re.compile(
    r"\b(?:viewer|camera|observer|onlooker|photographer)\b"
    r"|\b(?:i|we|you)(?:['’]d| would| can| could)? (?:see|read)\b|\bto (?:us|me|you)\b"
    r"|\bin the (?:mirror|reflection)\b[^,.;]{0,20}\b(?:looks?|appears?|seems?)\b"
    r"|\b(?:image|picture|photo|frame|screen)[- ](?:left|right)\b"
    r"|\b(?:left|right) in the (?:image|picture|photo|photograph|frame)\b"
    r"|\b(?:mirror|reflection) (?:shows?|has|displays)\b"
    r"|\bthe card (?:says|shows|reads|displays)\b(?![^.;]{0,60}\bmonkey)"
    r"|\bfrom (?:here|where (?:i|we|you)\b)"
    r"|\b(?:my|our|your)(?: own)? (?:side|view|viewpoint|perspective|point|left|right|frame)\b"
    r"(?! (?:front |rear |hind |fore)?(?:arm|hand|leg|foot|paw|limb))"
    r"|\bside of (?:the )?(?:image|picture|photo|photograph|frame|screen|mirror)\b"
    r"|\b(?:image|picture|photo|photograph|frame|screen)['’]s\b|\bmirror image\b"
    r"|\b(?:us|me|ours):"
    r"|画面|图像|图片|照片|镜头|观察者|(?:我们?|从这里)看|\bwir (?:sehen|lesen)\b"
    r"|\b(?:nous voyons|on voit|vemos|vediamo)\b|\bмы видим\b",
    re.IGNORECASE,
)
CONCLUDES = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|overall|in conclusion|this means|which means"
    r"|monkey|its|it|his|her|their)\b",
    re.IGNORECASE,
)
CORRECTS = re.compile(
    r"\b(?:wait|actually|correction|scratch that|on second thought|on reflection|let me re\w+"
    r"|let me (?:double-?check|check|correct|fix)|i was wrong|i made an? (?:mistake|error)"
    r"|sorry|apologies|my mistake|no,|hmm|reconsider\w*|re-?examin\w*|re-?check\w*"
    r"|revis(?:e|ed|ing)|change my answer|change that|instead"
    r"|that(?:['’]s| is| was) (?:wrong|not right|incorrect))(?!\w)",
    re.IGNORECASE,
)
TURNS = re.compile(
    r"(?<![A-Za-z'’-])(?:(?:no(?= wait| sorry| actually|\s{0,2}[,.:;!…–—-])|nope|sorry|oops|wait"
    r"|or rather|correction|scratch that|my mistake|make that|i meant?|actually(?= no\b)"
    r"|on second thought|on reflection)(?:\s|[,.:;!…–—-]){1,4}){1,4}",
    re.IGNORECASE,
)
RECANTS = re.compile(
    r"\b(?:wait|correction|on second thought|on reflection|scratch that|i meant?|my mistake"
    r"|make that|let me re\w+|hmm|actually)(?!\w)",
    re.IGNORECASE,
)
LONE_LETTER = re.compile(
    r"(?<![A-Za-z0-9'’])(?<!\bN/)(?:[B-D]"
    r"|A(?! (?!(?:is|was|could|might|may|seems|can|or|and|but|nor|over|vs|versus)\b)[a-z]))"
    r"(?![A-Za-z0-9'’])"
)
UNSURE = re.compile(
    r"\b(?:not (?:really |quite )?sure|unsure|(?:can['’]t|cannot|couldn['’]t) (?:really )?"
    r"(?:tell|say|decide|determine|be sure)|don['’]t (?:really )?know|no idea)\b",
    re.IGNORECASE,
)
THEREFORE = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|which means|meaning)\b", re.IGNORECASE
)
PASSED_OVER = re.compile(
    r"\b(?:rather than|instead of|as opposed to)\b[^,.;:!?]{0,80}"
    r"|(?:^|,)\s?(?:and |but )?not\b(?! (?:sure|certain))(?:(?!\bbut\b)[^,.;:!?]){0,80}"
    r"|\b(?:on|at|to|in) (?:the|our|my|your) (?:far )?(?:left|right)(?:[- ]hand)?(?: side)? of "
    r"(?:the|an?) (?!(?:person|man|woman|dog|animal|subject|body)\b)\w+"
    r"|(?:画面|图像|图片|照片)[的中]?\s?(?:left|right)\s?[侧边方]?的?|[^,.;:!?]{1,20}ではなく"
    r"|(?:^|,\s)\s?(?:since|because|as|given)\b[^,.;:]{1,80},\s"
    r"|\b(?:on|at|to) the (?:far )?(?:left|right)\b"
    r"(?![- ](?:hand|arm|leg|foot|paw|limb|side|fore|front leg|rear leg|hind))"
    r"|\bfac(?:es|ing) (?:towards? )?(?:the )?(?:camera|viewer|observer|us|me)\b"
    r"|\b(?:fac|look|turn|head|walk|mov|lean|point)(?:e?s|ed|ing) "
    r"(?:(?:directly|slightly|mostly|away|to(?:wards?)?|the|our|my|your) ){0,4}(?:left|right)\b"
    r"(?! (?:front |rear |hind )?(?:hand|arm|leg|foot|paw|limb|ear|eye))"
    r"|(?:而不?|并)?(?:不是|非)[^,.;:!?]{0,40}|,\s?(?:nicht|pas|non|не)\b[^,.;:!?]{0,40}",
    re.IGNORECASE,
)
IN_TRUTH = re.compile(
    r"\b(?:actually|really|truly|in fact|in reality|in truth|instead,?)\s", re.IGNORECASE
)
POSSIBLE = re.compile(
    r"\b(?:possible|could|might|may|cannot be ruled out|can['’]t be ruled out)\b", re.IGNORECASE
)
HYPOTHETICAL = re.compile(
    r"(?:would|could)(?: only)? be (?:correct|right|true)\b[^.;]{0,40}\bif\b", re.IGNORECASE
)
MENU = re.compile(
    r"\b(?:choose|select|pick|answer)\b[^.\n]{0,60}\bA\b\W{1,6}B\b(?:\W{1,6}C\b)?[^.\n]{0,12}\bor\b"
    r"|^\W{0,3}options?\s?:|\bA[.):]\s[^\n]{1,80}[;,|]\s?B[.):]\s",
    re.IGNORECASE,
)
ENDS_WITH = re.compile(
    r"(?:[,;:]\s{0,3}(?:and )?(?:so|therefore|thus|hence|then|which means|meaning)\b[ ,:]{0,3}"
    r"|(?<!\b[A-D])(?<!\b[A-D]\s)\s{0,3}(?:→|->|=>|⇒|∴)\s{0,3}|,\s{0,3}(?=(?:option|choice)\s)"
    r"|(?:^|[;:]\s|,\s)(?:since|because|as|given)\b[^,;:]{1,160},\s{1,3}"
    r"|(?:^|[;:]\s|,\s)if i\b[^,;:]{1,80},\s{1,3}"
    r"|(?<=[^\W\d_])(?<!\b[A-D])\s?:\s{1,3})"
    r"(?:(?:it|that)(?:['’]s| is| must be)\s{1,3})?(?P<said>[^,;:→]{1,60})$",
    re.IGNORECASE,
)
ORDINAL = re.compile(
    r"(?:the )?(?:(first|1st)|(second|2nd)|(third|3rd)|(fourth|4th)|(last))"
    r"(?: (?:one|option|choice|answer))?\W{0,3}$"
    r"|option #?([1-4])\W{0,3}$",
    re.IGNORECASE,
)
BESIDE_WORDS = re.compile(r"[\s,:.=-]{0,3}[(\[]\s?(?:option )?([A-D])\s?[)\]]")
TAKES_BACK = re.compile(
    r"\b(?:scratch that|i was wrong|change my answer"
    r"|(?:that|this|my answer|which)(?:['’]s| is| was) (?:wrong|incorrect|not (?:right|correct))"
    r"|i(?:['’]m| am) not sure (?:any ?more|after all)|i take (?:that|it) back"
    r"|(?:that|this|which) contradicts)(?!\w)",
    re.IGNORECASE,
)
BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*|__([^_\n]{1,80})__")
MACRO = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|rm|bf|operatorname|emph)\s{0,3}"
    r"\{([^{}]{0,400})\}"
)
BOXED = re.compile(
    r"\\(?:boxed|fbox)\s{0,3}\{([^{}]{0,400})\}"
    r"((?:\\[)\]]|[$*]){0,4}[ ]?[(\[]\s?(?:option )?[A-D]\s?[)\]])?"
)
TAGGED = re.compile(
    r"<(/?)(?:final[_-]?)?(?:answer|choice|option|result|solution)>|<\|(?:begin|(end))_of_box\|>",
    re.IGNORECASE,
)
NOT_OFFERED = re.compile(r"\s{0,8}\W{0,3}[E-HJ-PR-Z][.):]\s[^\n]{1,60}")
"""One short line under a letter that no option has."""
QUOTED_LETTER = re.compile(r"(?<!\w)['‘’]([A-D])['‘’](?!\w)")
STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
TYPOGRAPHY = re.compile(
    r"[\u20e3\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]|[*`\"“”„«»「」『』【】{}$]"
    r"|\\[()\[\],;! ]|^#{1,6} |\b_|_\b",
    re.MULTILINE,
)
FOREIGN = str.maketrans({"。": ". ", "、": ", ", "・": " ", "【": "(", "】": ")", "\u00a0": " "})
OTHERS_DENIED = (
    (re.compile(r"不是\s?[(]?[A-H][)]?\s?[,，]?\s?(?:而)?是"), "答案是"),
    (re.compile(r"[A-H]\s?では(?:なく[て,]?|ありません|ない)\s?"), ""),
    (re.compile(r"(?:而|并)?(?:不是|非)\s?[(]?[A-H][)]?(?![A-Za-z0-9])"), ""),
    (re.compile(r"[A-H]\s?[가이]\s?아니(?:라|고|다)|[A-H]\s?[가이]\s?아닙니다"), ""),
    (
        re.compile(r"\b(?:is not|isn['’]t|was not|wasn['’]t) [(]?[A-H][)]?,? but (?:rather )?"),
        "is ",
    ),
    (re.compile(r"\bnicht [A-H],? sondern\s", re.IGNORECASE), ""),
    (re.compile(r"\b(?:ce )?n['’]est pas (?:la )?[A-H],? (?:mais|c['’]est)\s", re.IGNORECASE), ""),
    (re.compile(r"\bno es (?:la )?[A-H],? sino\s", re.IGNORECASE), ""),
)
"""Other languages' "not A but", and what is left where it is taken off."""
NEW_CLAUSE = re.compile(
    r"[.;!?][)\]]?\s|\bbut\b|所以|因此|,\s(?=(?:my |the )?final\b|which (?:leav|mak|giv))", re.I
)
AFTER_COMMA = re.compile(r"[.;!?,:][)\]]?\s|\bbut\b", re.IGNORECASE)
OTHER_HAND = re.compile(
    r"\b(?:but|while|whereas|however|although|though|aber|mais|pero|ma|но)\b|;|但是?|而(?!且)",
    re.IGNORECASE,
)
OUR_VIEW = re.compile(r"\bis what (?:the viewer|i|we|you|one)\b", re.IGNORECASE)
NEW_LABEL = re.compile(r"[)\]]?\.\s{1,3}\w{1,20}\s?:")
WAS_CHANGED = re.compile(r"\bwas\W{0,3}$", re.IGNORECASE)
CHANGES = re.compile(r"\b(?:but|now|chang\w{1,4})\b", re.IGNORECASE)
LEAD = re.compile(
    r"\s{0,3}(?:(?:so|thus|therefore|hence|then again|then|but|and|finally|overall|it['’]s"
    r"|it is|on reflection"
    r"|not (?:option )?[(\[]?[A-D][)\]]?,? but)\b[,:]?\s{1,3}"
    r"|not (?:option )?[(\[]?[A-D][)\]]?(?:[.,;]|\s[–—-])\s{1,3}"
    r"|(?:also|daher|donc|entonces)\s{1,3}"
    r"|(?:因此|所以|よって|따라서)[,:]?\s{0,3}"
    r"|(?:assistant|model|ai|response)\s?:\s{0,3}){1,3}",
    re.IGNORECASE,
)
CLAUSE = re.compile(
    r"[,;!?(\[—–\n]|\.(?=\s|$)| - | because | since | as | which "
    r"| is what (?=(?:the )?(?:monkey|toy|animal|it)\b)"
)
SEPARATORS = frozenset(").:,!-–—]=;>…→(")
TURNED = re.compile(r"\b(?:rotat|flip|turn|invert|revers|upside|180)", re.IGNORECASE)
STRONGLY = re.compile(r"(?:choose|pick|select|with|for|say|answer|guess|on)$", re.IGNORECASE)
SEEMS = re.compile(r"\b(?:appears?|looks?|seems?|seemingly|apparently)\b", re.IGNORECASE)
STATES = re.compile(
    r"(?:the )?(?:monkey|toy|animal|it)(?: would| will| can)? (?:sees?|reads?)\b", re.IGNORECASE
)
PASSES_OVER = re.compile(
    r"\b(?:except|besides|ignor|exclud|rul|eliminat|reject|discard|or\b|nor\b|either\b"
    r"|consider (?:option )?[A-D]|includ|think(?:ing)? about|look(?:ing)? at|let me|let['’]s (?!go)"
    r"|check|examin|evaluat|start|begin|goes with|called|labell?ed|shows?\b)",
    re.IGNORECASE,
)
OR_ANOTHER = re.compile(
    r"\W{0,6}\b(?:or|maybe|perhaps) (?:maybe |option )?[(\[]?[A-D](?![A-Za-z0-9'’])", re.IGNORECASE
)
AFFIRMS = re.compile(
    r"(?<![A-Za-z0-9'’(])(?:option |choice |answer )?[(\[]?(?P<letter>[A-D])[)\]]?"
    r"(?:[.:] [^.,;:!?\n]{1,40})? (?:(?:is|must be|has to be|seems|appears|ist|est|es|è|é)"
    r"(?: to be)?(?: therefore| thus| clearly| indeed| actually| in fact| likely)?"
    r"(?: the| what['’]s| what is| my)?(?: only| most| one(?: that is)?)?"
    r" (?:correct|right|best|true|accurate|answer|valid|more likely"
    r"|(?:option|choice|pick|guess)\b|one\b"
    r"|richtig|korrekt|correcte|juste|correct[ao]|corrett[ao])"
    r"|fits?(?: better| best)?|matches|remains|wins|must be it|is the one)\b"
    r"(?![^.;\n]{0,40}\bif\b|,? (?:at first|initially|too|as well)\b)"
)
HEADINGS = frozenset(
    {"answer", "final answer", "the answer", "output", "my answer", "final", "答案"}
)
