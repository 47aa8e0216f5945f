#!/usr/bin/env python3
"""WCAG contrast ratios for colour pairs. Python 3.8+, standard library only.

One pair:   contrast.py '#767676' '#ffffff' --kind text
A list:     contrast.py --csv pairs.csv
            columns name,fg,bg,kind; kind is text, large or ui
Exit code:  0 all pass, 1 at least one fails, 2 bad input
"""
import argparse
import colorsys
import csv
import sys

MINIMUM = {
    "AA": {"text": 4.5, "large": 3.0, "ui": 3.0},
    "AAA": {"text": 7.0, "large": 4.5, "ui": 3.0},
}


def parse(value):
    """'#rgb', '#rgba', '#rrggbb' or '#rrggbbaa' to (r, g, b, alpha), each 0..1."""
    digits = (value or "").strip().lstrip("#")
    if len(digits) in (3, 4):
        digits = "".join(d * 2 for d in digits)
    if len(digits) not in (6, 8):
        raise ValueError(f"not a hex colour: {value!r}")
    try:
        parts = [int(digits[i:i + 2], 16) / 255 for i in range(0, len(digits), 2)]
    except ValueError:
        raise ValueError(f"not a hex colour: {value!r}") from None
    return tuple(parts) if len(parts) == 4 else (*parts, 1.0)


def over(top, below):
    """Composite a translucent colour on an opaque one."""
    alpha = top[3]
    return tuple(top[i] * alpha + below[i] * (1 - alpha) for i in range(3)) + (1.0,)


def luminance(colour):
    def linear(c):
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
    r, g, b = (linear(c) for c in colour[:3])
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def ratio(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def to_hex(colour):
    return "#" + "".join(f"{round(c * 255):02x}" for c in colour[:3])


def suggest(fg, bg, minimum):
    """The foreground of the same hue and saturation, nearest in lightness, that passes."""
    hue, light, sat = colorsys.rgb_to_hls(*fg[:3])
    best = None
    for step in range(1001):
        candidate = parse(to_hex(colorsys.hls_to_rgb(hue, step / 1000, sat)))
        if ratio(candidate, bg) >= minimum:
            distance = abs(step / 1000 - light)
            if best is None or distance < best[0]:
                best = (distance, candidate)
    return to_hex(best[1]) if best else None


def check(name, fg, bg, kind, level, base):
    kind = (kind or "text").strip().lower()
    if kind not in MINIMUM[level]:
        raise ValueError(f"{name}: kind must be text, large or ui, not {kind!r}")
    bg = over(parse(bg), base)
    fg = over(parse(fg), bg)
    minimum = MINIMUM[level][kind]
    value = ratio(fg, bg)
    passed = value >= minimum  # compare unrounded: 4.499 fails
    shown = int(value * 100) / 100  # cut, never round up
    line = f"{'pass' if passed else 'FAIL'}  {shown:5.2f}  need {minimum:3.1f}  {to_hex(fg)} on {to_hex(bg)}  {kind:5}  {name}"
    if not passed:
        fix = suggest(fg, bg, minimum)
        line += f"  -> try {fix}" if fix else "  -> no lightness of this hue passes; change the background"
    print(line)
    return passed


def main():
    cli = argparse.ArgumentParser(description="WCAG contrast ratios for colour pairs.")
    cli.add_argument("fg", nargs="?", help="foreground hex colour, alpha allowed")
    cli.add_argument("bg", nargs="?", help="background hex colour, alpha allowed")
    cli.add_argument("--kind", default="text", choices=["text", "large", "ui"])
    cli.add_argument("--level", default="AA", choices=["AA", "AAA"])
    cli.add_argument("--base", default="#ffffff", help="opaque page colour below translucent backgrounds")
    cli.add_argument("--csv", help="file with columns name,fg,bg,kind")
    args = cli.parse_args()
    try:
        base = parse(args.base)
        if args.csv:
            with open(args.csv, newline="", encoding="utf-8-sig") as handle:
                rows = list(csv.DictReader(handle))
            if not rows:
                raise ValueError("the CSV has no rows")
            results = [check(r["name"], r["fg"], r["bg"], r.get("kind"), args.level, base) for r in rows]
        elif args.fg and args.bg:
            results = [check("pair", args.fg, args.bg, args.kind, args.level, base)]
        else:
            cli.error("give FG and BG, or --csv FILE")
    except KeyError as missing:
        print(f"error: the CSV lacks the column {missing}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    print(f"{sum(results)} of {len(results)} pass at {args.level}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
