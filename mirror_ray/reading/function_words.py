"""English words that say nothing of what a question is about."""

FUNCTION_WORDS = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "it", "its", "he", "she", "they"),
        *("we", "you", "i", "is", "are", "was", "were", "be", "been", "being", "do", "does"),
        *("did", "has", "have", "had", "will", "would", "can", "could", "should", "may", "might"),
        *("must", "of", "in", "on", "at", "to", "for", "from", "by", "with", "as", "than", "and"),
        *("or", "so", "then", "there", "here", "now", "which", "what", "who", "whom", "whose"),
        *("when", "where", "why", "how", "many", "much", "if", "therefore", "thus", "hence"),
        *("based", "information", "provided", "given", "logic", "statement", "answer", "question"),
        *("sentence", "word", "correct", "most", "likely", "just", "only", "also", "very"),
        *("called",),
    )
)
