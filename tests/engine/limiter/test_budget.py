"""No account is charged more than its ceiling, in whatever order calls begin, end and get lost."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from mirror_ray.engine.limiter.budget import (
    AccountStats,
    Budget,
    BudgetVerdict,
    budget_spent,
    scopes_of,
)

MODELS, CELLS = ("a", "b"), ("x", "y")
SCOPES = ("sweep", "model:a", "model:b", "cell:x", "cell:y")

amounts = st.integers(0, 1_000_000).map(lambda microdollars: microdollars / 1e6)


class Accounts(RuleBasedStateMachine):
    """Calls come, are granted or not, and end with any cost up to their worst case."""

    @initialize(ceilings=st.dictionaries(st.sampled_from(SCOPES), st.floats(0.0, 3.0)))
    def begin(self, ceilings):
        self.ceilings = ceilings
        self.budget = Budget(ceilings)
        self.under_way = {}
        self.lost = {}
        self.paid = dict.fromkeys(SCOPES, 0.0)
        self.grants = 0

    @rule(model=st.sampled_from(MODELS), cell=st.sampled_from(CELLS), worst_usd=amounts)
    def call(self, model, cell, worst_usd):
        scopes = scopes_of(model, cell)
        if self.budget.verdict(worst_usd, scopes).answer == "fits":
            self.grants += 1
            self.budget.reserve(self.grants, worst_usd, scopes)
            self.under_way[self.grants] = (worst_usd, scopes)

    @rule(data=st.data(), share=st.floats(0.0, 1.0) | st.none())
    def end(self, data, share):
        if not self.under_way:
            return
        grant_id = data.draw(st.sampled_from(sorted(self.under_way)))
        worst_usd, scopes = self.under_way.pop(grant_id)
        self.budget.settle(grant_id, None if share is None else worst_usd * share)
        if share is None:
            self.lost[grant_id] = (worst_usd, scopes)
        else:
            self.pay(worst_usd * share, scopes)

    @rule(data=st.data(), share=st.floats(0.0, 1.0))
    def turns_up(self, data, share):
        if not self.lost:
            return
        worst_usd, scopes = self.lost.pop(data.draw(st.sampled_from(sorted(self.lost))))
        self.budget.correct(worst_usd, worst_usd * share, scopes)
        self.pay(worst_usd * share, scopes)

    def pay(self, cost_usd, scopes):
        for scope in scopes:
            self.paid[scope] += cost_usd

    @invariant()
    def keeps_every_ceiling(self):
        for scope, ceiling_usd in self.ceilings.items():
            account = self.budget.account(scope)
            total_usd = account.spent_usd + account.presumed_usd + account.reserved_usd
            assert total_usd <= ceiling_usd + 1e-9

    @invariant()
    def counts_what_was_paid(self):
        for scope in SCOPES:
            account = self.budget.account(scope)
            assert account.spent_usd == pytest.approx(self.paid[scope], abs=1e-9)
            expected = sum(worst for worst, scopes in self.under_way.values() if scope in scopes)
            assert account.reserved_usd == pytest.approx(expected, abs=1e-9)


TestAccounts = Accounts.TestCase
TestAccounts.settings = settings(max_examples=60, stateful_step_count=40)


@pytest.mark.parametrize(
    ("ceiling_usd", "spent_usd", "worst_usd", "answer"),
    [
        (None, 9.0, 9.0, "fits"),
        (1.0, 0.5, 0.5, "fits"),
        (1.0, 0.5, 0.51, "never"),
        (1.0, 1.0, 0.0, "fits"),
        (1.0, 0.9, None, "fits"),
        (1.0, 1.0, None, "never"),
        (0.0, 0.0, None, "never"),
        (0.3, 0.1 + 0.1, 0.1, "fits"),
    ],
)
def test_what_one_account_says(ceiling_usd, spent_usd, worst_usd, answer):
    ceilings = {} if ceiling_usd is None else {"sweep": ceiling_usd}
    assert Budget(ceilings, {"sweep": spent_usd}).verdict(worst_usd, ["sweep"]).answer == answer


def test_the_account_that_refuses_for_good_is_told_before_one_that_may_wait():
    budget = Budget({"sweep": 1.0, "model:a": 0.4, "cell:x": 0.4}, {"cell:x": 0.4})
    budget.reserve(1, 0.9, ["sweep"])
    assert budget.verdict(0.2, ["sweep", "model:a"]) == BudgetVerdict("wait", "sweep")
    assert budget.verdict(0.2, scopes_of("a", "x")) == BudgetVerdict("never", "cell:x")
    assert budget.verdict(0.5, scopes_of("a", "y")) == BudgetVerdict("never", "model:a")
    assert budget.verdict(0.1, scopes_of("a", "y")) == BudgetVerdict("fits")


def test_one_models_spending_is_not_anothers():
    budget = Budget({"model:a": 0.1, "model:b": 0.1})
    budget.reserve(1, 0.1, scopes_of("a", "x"))
    budget.settle(1, 0.1)
    assert budget.verdict(0.1, scopes_of("a", "y")) == BudgetVerdict("never", "model:a")
    assert budget.verdict(0.1, scopes_of("b", "x")) == BudgetVerdict("fits")
    assert budget.account("cell:x") == AccountStats(None, 0.1, 0.0, 0.0)


@pytest.mark.parametrize(
    ("scope", "whose", "key"),
    [
        ("sweep", "the sweep's budget", "raise budget_usd"),
        ("model:o/gpt:5.1", "the model o/gpt:5.1's budget", "raise budget_per_model_usd"),
        ("cell:0f", "the cell 0f's budget", "raise budget_per_cell_usd"),
    ],
)
def test_a_person_is_told_whose_budget_and_which_key(scope, whose, key):
    assert whose in budget_spent(scope)
    assert key in budget_spent(scope)


def test_a_scope_of_no_kind_is_a_mistake():
    with pytest.raises(ValueError, match="typo"):
        budget_spent("typo")


def test_what_earlier_runs_may_have_spent_counts_beside_what_they_did():
    budget = Budget({"sweep": 1.0}, {"sweep": 0.5}, {"sweep": 0.25})
    assert budget.verdict(0.25, ["sweep"]).answer == "fits"
    assert budget.verdict(0.26, ["sweep"]).answer == "never"
    account = budget.account("sweep")
    assert (account.spent_usd, account.presumed_usd, account.reserved_usd) == (0.5, 0.25, 0.0)
