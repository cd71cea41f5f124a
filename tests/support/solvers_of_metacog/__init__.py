"""Solves generated questions from their printed words, on other principles than their makers'."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from mirror_ray.families.metacog.bank.question import Key
from support.solvers_of_metacog import days, facts, figures, language, logic, machines, minds, space

SOLVERS: Mapping[str, Mapping[str, Callable[[str], object]]] = {
    "arithmetic": {
        "mental_calculation": figures.mental_calculation,
        "word_problems": figures.word_problems,
        "unit_conversion": figures.unit_conversion,
        "estimation": figures.estimation,
        "numerical_reasoning": figures.numerical_reasoning,
    },
    "spatial": {
        "2d_geometry": space.plane,
        "3d_visualization": space.solids,
        "distance_direction": space.walks,
        "relative_positioning": space.positions,
        "spatial_transformation": space.transformations,
    },
    "temporal": {
        "duration": days.duration,
        "ordering_events": space.events,
        "scheduling": days.scheduling,
        "timezone_arithmetic": days.timezones,
        "calendar_arithmetic": days.calendar,
    },
    "logical": {
        "propositional_logic": logic.propositional,
        "syllogisms": logic.syllogism,
        "set_relations": logic.sets,
        "conditional_reasoning": logic.conditional,
        "proof_evaluation": logic.proof,
    },
    "social": {
        "theory_of_mind": minds.belief,
        "implicature": minds.implicature,
        "pragmatic_inference": minds.reference,
        "sarcasm_detection": minds.sarcasm,
        "social_norm_violation": minds.norms,
    },
    "linguistic": {
        "morphology": language.morphology,
        "syntax_parsing": language.syntax,
        "ambiguity_resolution": language.swaps,
        "grammar_correction": language.agreement,
        "register_formality": language.register,
    },
    "factual": {
        "science": facts.science,
        "geography": facts.geography,
        "history": facts.dates,
        "culture": facts.dates,
        "cross_domain_trivia": facts.trivia,
    },
    "procedural": {
        "algorithm_execution": machines.algorithm,
        "recipe_following": machines.recipe,
        "protocol_compliance": machines.protocol,
        "multistep_planning": machines.plan,
        "error_recovery": machines.recovery,
    },
}


def agrees(answer: object, key: Key) -> bool:
    if key.kind == "number":
        return abs(float(Fraction(key.answer)) - float(answer)) < 1e-3  # type: ignore[arg-type]
    return str(answer).casefold() == key.answer.casefold()
