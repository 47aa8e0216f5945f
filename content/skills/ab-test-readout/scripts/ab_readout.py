#!/usr/bin/env python3
"""Numbers for an A/B test readout, standard library only.

  ab_readout.py rate --control N:CONVERSIONS --variant N:CONVERSIONS
  ab_readout.py mean --control N:MEAN:SD     --variant N:MEAN:SD
  ab_readout.py plan --baseline 0.05 --lift 0.10

`rate` and `mean` check the sample ratio first; --share is the share of users
planned for the control (0.5 unless told). All intervals are two-sided.
"""
import argparse
import math
import sys
from statistics import NormalDist

NORMAL = NormalDist()


def two_sided_p(z):
    return math.erfc(abs(z) / math.sqrt(2))


def sample_ratio_p(n_control, n_variant, share):
    """Chi-squared test with one degree of freedom against the planned split."""
    total = n_control + n_variant
    wanted = total * share, total * (1 - share)
    chi2 = (n_control - wanted[0]) ** 2 / wanted[0] + (n_variant - wanted[1]) ** 2 / wanted[1]
    return math.erfc(math.sqrt(chi2 / 2))


def wilson(hits, n, z):
    centre = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return centre - half, centre + half


def compare_rates(control, variant, alpha):
    (n1, x1), (n2, x2) = control, variant
    p1, p2 = x1 / n1, x2 / n2
    z = NORMAL.inv_cdf(1 - alpha / 2)
    pooled = (x1 + x2) / (n1 + n2)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
    p_value = two_sided_p((p2 - p1) / spread) if spread else 1.0
    # Newcombe's interval from the two Wilson intervals: sound for small rates too.
    low1, high1 = wilson(x1, n1, z)
    low2, high2 = wilson(x2, n2, z)
    diff = p2 - p1
    low = diff - math.hypot(p2 - low2, high1 - p1)
    high = diff + math.hypot(high2 - p2, p1 - low1)
    relative = None
    if x1 and x2:
        error = math.sqrt((1 - p1) / x1 + (1 - p2) / x2)
        ratio = math.log(p2 / p1)
        relative = [math.exp(ratio + k * z * error) - 1 for k in (-1, 0, 1)]
    return p1, p2, (low, diff, high), relative, p_value


def compare_means(control, variant, alpha):
    (n1, m1, s1), (n2, m2, s2) = control, variant
    z = NORMAL.inv_cdf(1 - alpha / 2)
    v1, v2 = s1 * s1 / n1, s2 * s2 / n2
    error, diff = math.sqrt(v1 + v2), m2 - m1
    relative = None
    if m1 > 0:
        # Delta method for the ratio of two independent means.
        ratio = m2 / m1
        ratio_error = math.sqrt(v2 + ratio * ratio * v1) / m1
        relative = [ratio - 1 + k * z * ratio_error for k in (-1, 0, 1)]
    p_value = two_sided_p(diff / error) if error else 1.0
    return m1, m2, (diff - z * error, diff, diff + z * error), relative, p_value


def per_arm(baseline, lift, alpha, power):
    p1, p2 = baseline, baseline * (1 + lift)
    if not (0 < p1 < 1 and 0 < p2 < 1) or p1 == p2:
        raise ValueError("baseline and baseline*(1+lift) must differ and lie between 0 and 1")
    mid = (p1 + p2) / 2
    za, zb = NORMAL.inv_cdf(1 - alpha / 2), NORMAL.inv_cdf(power)
    top = za * math.sqrt(2 * mid * (1 - mid)) + zb * math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
    return math.ceil((top / (p2 - p1)) ** 2)


def arm(text, fields):
    parts = text.split(":")
    if len(parts) != fields:
        raise ValueError(f"{text!r}: {fields} values separated by ':' expected")
    n = int(parts[0])
    if n < 2:
        raise ValueError(f"{text!r}: at least 2 users per arm")
    rest = [int(parts[1])] if fields == 2 else [float(p) for p in parts[1:]]
    if fields == 2 and not 0 <= rest[0] <= n:
        raise ValueError(f"{text!r}: conversions must lie between 0 and the number of users")
    if fields == 3 and not (all(map(math.isfinite, rest)) and rest[1] >= 0):
        raise ValueError(f"{text!r}: mean and sd must be numbers, and sd not below 0")
    return (n, *rest)


def readout(options):
    rates = options.command == "rate"
    control, variant = (arm(t, 2 if rates else 3) for t in (options.control, options.variant))
    compare = compare_rates if rates else compare_means
    a, b, (low, diff, high), relative, p_value = compare(control, variant, options.alpha)
    ratio_p = sample_ratio_p(control[0], variant[0], options.share)
    level = f"{100 * (1 - options.alpha):g} %"
    print(f"sample ratio      p = {ratio_p:.4g} ({'MISMATCH, do not read on' if ratio_p < 0.001 else 'fine'})")
    form, unit = ("{:.3%}", " points") if rates else ("{:.4g}", "")
    print(f"control           {form.format(a)} of n = {control[0]}")
    print(f"variant           {form.format(b)} of n = {variant[0]}")
    scale = 100 if rates else 1
    print(f"difference        {diff * scale:+.4g}{unit}, {level} interval {low * scale:+.4g} to {high * scale:+.4g}")
    if relative:
        print(f"relative lift     {relative[1]:+.2%}, {level} interval {relative[0]:+.2%} to {relative[2]:+.2%}")
    print(f"p-value           {p_value:.4g}")
    return 1 if ratio_p < 0.001 else 0


def main():
    parser = argparse.ArgumentParser(description="Numbers for an A/B test readout.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("rate", "mean"):
        command = commands.add_parser(name)
        command.add_argument("--control", required=True)
        command.add_argument("--variant", required=True)
        command.add_argument("--share", type=float, default=0.5)
        command.add_argument("--alpha", type=float, default=0.05)
    plan = commands.add_parser("plan")
    plan.add_argument("--baseline", type=float, required=True)
    plan.add_argument("--lift", type=float, required=True, help="relative: 0.10 is +10 %%")
    plan.add_argument("--alpha", type=float, default=0.05)
    plan.add_argument("--power", type=float, default=0.8)
    options = parser.parse_args()
    try:
        if not 0 < options.alpha < 1:
            raise ValueError("--alpha must lie between 0 and 1")
        if options.command != "plan":
            if not 0 < options.share < 1:
                raise ValueError("--share must lie between 0 and 1")
            return readout(options)
        if not 0 < options.power < 1:
            raise ValueError("--power must lie between 0 and 1")
        n = per_arm(options.baseline, options.lift, options.alpha, options.power)
        print(f"{n} users per arm, {2 * n} in all")
        return 0
    except ValueError as problem:
        print(f"ab_readout: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
