-- grain: one value
-- macro: wilson_high(k, n)
-- Upper end of Wilson's 95 % score interval of k successes in n trials; null without trials.
-- Source: Wilson 1927; 3.8414588206941245 is z² at 97.5 %.
select case when n > 0 then least(
    1.0,
    (
        k + 3.8414588206941245 / 2
        + sqrt(3.8414588206941245 * (k * (n - k) / n + 3.8414588206941245 / 4))
    ) / (n + 3.8414588206941245)
) end
