"""Replies to a FlipSet question as chat models write them, and the option that each commits to.

The options are A 18, B 81, C 78, D 87, and A is right; None commits to no option beyond doubt.
Style → (reply, label). Half of those that commit are wrong.
"""

from collections.abc import Mapping

OPTIONS = ("18", "81", "78", "87")
RIGHT = "A"

REPLIES: Mapping[str, tuple[tuple[str, str | None], ...]] = {
    "letter alone": (("A", "A"), ("B", "B"), ("a", "A"), ("c.", "C"), (" D\n", "D")),
    "answer first, reasons after": (
        ("A\n\nThe viewer sees 81.", "A"),
        ("B\n\nTurned by 180 degrees the card would read 18 to a person on the other side.", "B"),
        ("A. 18\n\nThe monkey sits opposite, so the card, which reads 81 to us, is turned.", "A"),
        ("**B. 81**\n\nThe card says 81, and from the other side 18 would be upside down.", "B"),
        ("A, because the monkey does not see it as I do.", "A"),
        ("C) 78 – not 81, which is what the viewer sees.", "C"),
        ("A: the monkey is not beside us but opposite.", "A"),
        ("B, not A.", "B"),
        ("Answer: A. Not B.", "A"),
        ("D — the digits are swapped and one of them looks like a 7.", "D"),
        ("A\n\nOption B is what we see and option C is a distractor.", "A"),
        ("Option A is correct. Option B is what the viewer sees.", "A"),
        ("C. The card, as the monkey sees it, reads 78.", "C"),
    ),
    "reasoning first": (
        ("The card reads 81 to us. The monkey sits opposite.\n\nAnswer: A", "A"),
        ("I see 81, and 81 turned by 180 degrees is 18.\nTherefore, the answer is A.", "A"),
        ("Looking at the picture, the card shows 81. So the monkey sees 81.\n\nAnswer: B", "B"),
        (
            "Step 1: The card reads 81.\nStep 2: turn it: 8 stays 8, 1 stays 1, the order is "
            "reversed.\nStep 3: 18.\n\nFinal answer: A. 18",
            "A",
        ),
        (
            "Options:\nA. 18\nB. 81\nC. 78\nD. 87\n\nThe monkey is opposite, so its view is "
            "mirrored.\n\nThe answer is D.",
            "D",
        ),
        ("The monkey sees the card upside down. The correct choice is (C).", "C"),
        ("From where it sits the card is turned by 180°, so it reads 18, which is option A.", "A"),
        ("The card is turned, so the monkey sees 18.", "A"),
        ("It sits right behind the card. So the monkey sees 81.", "B"),
        ("We see 81. The monkey sees 18.", "A"),
    ),
    "both eyes in one sentence": (
        ("The viewer sees 81 (option B), but the monkey sees 18 (option A).", "A"),
        ("We see 18, while the monkey sees 81.", "B"),
        ("A is what the monkey sees; B is what I see.", "A"),
        ("B is what I see. C is what the monkey sees.", "C"),
        ("Option B shows what we see. The monkey sees option D.", "D"),
        ("The monkey sees B", "B"),
        ("The answer is: A) 18, since 81 turned is 18. B) 81 is what we see.", "A"),
        ("The answer is A. 81 is what the viewer sees.", "A"),
        ("A – 18\nB – 81 is what we see", "A"),
    ),
    "by exclusion": (
        ("Not B, but A.", "A"),
        ("It's not A. It's B.", "B"),
        ("B is incorrect. C is incorrect. D is incorrect. So A.", "A"),
        ("Correct answer: B. Incorrect: A, C, D.", "B"),
    ),
    "changed its mind": (
        ("My answer was B, but I now change my answer to A.", "A"),
        ("Initially I thought A. On reflection, C.", "C"),
    ),
    "hedged but chosen": (
        ("I'm not sure, but my best guess is B.", "B"),
        ("As an AI model I can't see images, but I'd answer A.", "A"),
    ),
    "small letters and bare heads": (
        ("a) 18", "A"),
        ("b) 18", None),
        ("Final: B", "B"),
        ("Result: D", "D"),
    ),
    "thinking in other tags": (
        ("[THINK]The answer is B.[/THINK]A", "A"),
        ("◁think▷ answer: A ◁/think▷ B", "B"),
        (
            "<|channel|>analysis<|message|>It is B.<|end|>"
            "<|start|>assistant<|channel|>final<|message|>C",
            "C",
        ),
    ),
    "bold": (
        ("**A**", "A"),
        ("**B**", "B"),
        ("The monkey sees **18** on the card.", "A"),
        ("From the monkey's point of view the card shows **D. 87**.", "D"),
        ("The correct answer is **A) 18**.", "A"),
        ("**Answer:** B", "B"),
        ("**Answer: C**", "C"),
        ("## Answer\n\n**A. 18**\n\nThe viewer would read 81.", "A"),
        ("__B__", "B"),
    ),
    "boxed and LaTeX": (
        ("\\boxed{A}", "A"),
        ("$\\boxed{B}$", "B"),
        ("**\\boxed{B}**", "B"),
        ("The card is turned. $\\boxed{\\text{A}}$", "A"),
        ("\\[\\boxed{\\textbf{C. 78}}\\]", "C"),
        ("The answer is $\\boxed{\\mathrm{A}}$.", "A"),
        ("\\(\\boxed{18}\\)", "A"),
        ("$$\\boxed{\\text{(B)}}$$\nsince the viewer sees 81.", "B"),
    ),
    "JSON": (
        ('{"answer": "A"}', "A"),
        ('```json\n{"answer": "B", "explanation": "the viewer sees 18"}\n```', "B"),
        ('{"reasoning": "It is turned: 18.", "choice": "A"}', "A"),
    ),
    "thinking": (
        ("<think>The viewer sees 81, B? No, turned it is 18.</think>\nA", "A"),
        ("<think>It is turned: 18, so A.</think>\n\n**B. 81**", "B"),
        ("The card says 81. Is it B? Turned it is 18. The answer is B.</think>\n\nA", "A"),
        ("So the answer is A.</think>The answer is C.", "C"),
        ("<thinking>\nAnswer: A\n</thinking>\nAnswer: D", "D"),
        ("<reasoning>maybe B</reasoning>A. 18", "A"),
        ("<think>The card reads 81. The answer is A", None),
    ),
    "self-correction": (
        ("Answer: B\nNo, I was wrong.\nFinal answer: A", "A"),
        ("A\n\nWait, that is what it looks like from above. The answer is B.", "B"),
        ("The answer is B. Wait, the monkey sits opposite. Actually, the answer is A.", "A"),
        ("B. 81\n\nOn second thought, turning it gives 18. Answer: A", "A"),
        ("I'd go with A. Hmm, let me reconsider: the order is kept. Final answer: C", "C"),
        ("A. 18\n\nActually, scratch that.", None),
        ("B... no wait, A.", "A"),
        ("A. Sorry, I meant C.", "C"),
        ("Answer: A\n\nWait, actually B.", "B"),
        ("A\n\nWait, it might also be B.", None),
    ),
    "hedging": (
        ("I think it's A.", "A"),
        ("Probably B, but I am not certain.", "B"),
        ("My best guess is A, though the picture is small.", "A"),
        ("It is hard to tell, but I would say D.", "D"),
        ("If I had to choose, I'd pick A.", "A"),
        ("Most likely C. 78.", "C"),
    ),
    "other punctuation": (
        ("答案：Ａ", "A"),
        ("答案是 Ｂ。", "B"),
        ("Ａ。猴子从对面看。", "A"),
        ("（Ｂ）８１", "B"),
        ("Answer：C。", "C"),
        ("La réponse est : A", "A"),
        ("Antwort: „D“", "D"),
        ("「Ａ」", "A"),
        ("选A", "A"),
        ("正确答案为B，因为……", "B"),
        ("<answer>A</answer>", "A"),
        ("<answer>C</answer>", "C"),
        ("✅ A", "A"),
        ("👉 B", "B"),
    ),
    "refusal": (
        ("I'm sorry, but I can't see any picture.", None),
        ("I cannot determine what the monkey sees.", None),
        ("As an AI, A monkey's view is not something I can know.", None),
        ("", None),
    ),
    "two options named": (
        ("A or B", None),
        ("It is either A or B.", None),
        ("A and C are both plausible.", None),
        ("Answer: A/B", None),
        ("A, B", None),
        ("The answer is A. The answer is B.", None),
        ("The monkey sees 18 or 81.", None),
    ),
    "contradiction": (
        ("A. 81", None),
        ("B) 18", None),
        ("Answer: 81 (A)", None),
        ("A\n\nIt sits right behind the card. So the monkey sees 81.", None),
        ("The answer is C (87).", None),
        ("Answer: D – 81, because it is turned.", None),
        ("The answer is not A.", None),
        ("B is wrong.", None),
        ("From the viewer's perspective the answer is B.", None),
        ("If the monkey sat beside us, the answer would be B.", None),
        ("The viewer sees 81.", None),
    ),
}
