#!/usr/bin/env python3
"""Profile a delimited text file before cleaning it.

Usage: profile_csv.py FILE [--json] [--delimiter CHAR] [--encoding NAME]

Reads the file, never writes it. Exit status: 0 when every row has as many
fields as the header, 1 when some do not, 2 when the file cannot be read.
"""
import argparse
import csv
import io
import json
import re
import sys
from collections import Counter

NULLS = {"na", "n/a", "#n/a", "null", "none", "nil", "nan", "-", "--", "?", "unknown"}
INTEGER = re.compile(r"[+-]?\d+")
DECIMAL_POINT = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)?\.\d+|[+-]?\d{1,3}(,\d{3})+")
ONE_COMMA = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}([. ]\d{3})+|\d+),\d+")
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?")
SPLIT_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})")
BOOLEAN = {"true", "false", "yes", "no", "y", "n", "t", "f"}
ODD_SPACE = re.compile("[\u00a0\u2007\u202f\u200b\ufeff]")


def decode(raw, forced):
    if forced:
        return raw.decode(forced), forced
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw.decode("utf-8-sig"), "utf-8-sig"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16"), "utf-16"
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace"), "cp1252 (guessed)"


def guess_delimiter(text):
    """The candidate that gives the most rows of one same width above 1."""
    best, best_score = ",", (0, 0)
    head = text[:200_000]
    for candidate in ",;\t|":
        rows = [r for r in csv.reader(io.StringIO(head, newline=""), delimiter=candidate) if r][:500]
        widths = Counter(len(r) for r in rows)
        if not widths:
            continue
        width, rows_of_width = widths.most_common(1)[0]
        score = (rows_of_width if width > 1 else 0, width)
        if score > best_score:
            best, best_score = candidate, score
    return best


def kind(value):
    if INTEGER.fullmatch(value):
        digits = value.lstrip("+-")
        return "integer, leading zero" if len(digits) > 1 and digits[0] == "0" else "integer"
    if ONE_COMMA.fullmatch(value):
        return "number, ambiguous comma"
    if DECIMAL_POINT.fullmatch(value):
        return "number, point decimal"
    if DECIMAL_COMMA.fullmatch(value):
        return "number, comma decimal"
    if ISO_DATE.fullmatch(value):
        return "date, ISO"
    found = SPLIT_DATE.fullmatch(value)
    if found:
        first, second = int(found[1]), int(found[2])
        if first > 12 >= second:
            return "date, day first"
        if second > 12 >= first:
            return "date, month first"
        return "date, ambiguous" if max(first, second) <= 12 else "text"
    return "boolean" if value.lower() in BOOLEAN else "text"


def profile_column(name, values):
    blank = sum(not v.strip() for v in values)
    filled = [v for v in values if v.strip()]
    nulls = Counter(v.strip() for v in filled if v.strip().lower() in NULLS)
    real = [v for v in filled if v.strip().lower() not in NULLS]
    distinct = Counter(real)
    folded = {}
    for v in distinct:
        folded.setdefault(" ".join(v.split()).casefold(), []).append(v)
    return {
        "column": name,
        "blank": blank,
        "null_words": dict(nulls),
        "filled": len(real),
        "distinct": len(distinct),
        "kinds": dict(Counter(kind(v.strip()) for v in real).most_common()),
        "outer_spaces": sum(v != v.strip() for v in filled),
        "odd_spaces": sum(bool(ODD_SPACE.search(v)) for v in filled),
        "line_breaks_inside": sum("\n" in v or "\r" in v for v in filled),
        "formula_like": sum(v[0] in "=@" or (v[0] in "+-" and kind(v) == "text") for v in real),
        "longest": max((len(v) for v in filled), default=0),
        "same_but_for_case_or_spaces": [g for g in folded.values() if len(g) > 1][:5],
        "commonest": distinct.most_common(3),
    }


def profile(path, encoding=None, delimiter=None):
    if delimiter and len(delimiter) > 1:
        raise ValueError(f"the delimiter {delimiter!r} is more than one character")
    with open(path, "rb") as handle:
        text, used = decode(handle.read(), encoding)
    delimiter = delimiter or guess_delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header, rows, ragged, empty = None, [], [], 0
    for row in reader:
        if not row or not any(cell.strip() for cell in row):
            empty += 1
        elif header is None:
            header = row
        else:
            if len(row) != len(header):
                ragged.append({"line": reader.line_num, "fields": len(row)})
            rows.append(row)
    if header is None:
        raise ValueError("no rows")
    trimmed = [h.strip().casefold() for h in header]
    columns = [
        profile_column(name, [r[i] if i < len(r) else "" for r in rows])
        for i, name in enumerate(header)
    ]
    return {
        "file": path,
        "encoding": used,
        "replaced_characters": text.count("\ufffd"),
        "delimiter": delimiter,
        "rows": len(rows),
        "columns": len(header),
        "empty_rows": empty,
        "duplicate_rows": len(rows) - len({tuple(r) for r in rows}),
        "duplicate_headers": sorted(h for h, n in Counter(trimmed).items() if n > 1),
        "ragged_rows": len(ragged),
        "ragged_first": ragged[:10],
        "column_profiles": columns,
    }


def show(result):
    for key in ("file", "encoding", "replaced_characters", "delimiter", "rows", "columns",
                "empty_rows", "duplicate_rows", "duplicate_headers", "ragged_rows"):
        print(f"{key}: {result[key]!r}" if key == "delimiter" else f"{key}: {result[key]}")
    for row in result["ragged_first"]:
        print(f"  line {row['line']}: {row['fields']} fields")
    for column in result["column_profiles"]:
        print(f"\n{column['column']!r}: {column['filled']} filled, {column['blank']} blank, "
              f"{column['distinct']} distinct, longest {column['longest']}")
        for key in ("kinds", "null_words", "outer_spaces", "odd_spaces", "line_breaks_inside",
                    "formula_like", "same_but_for_case_or_spaces", "commonest"):
            if column[key]:
                print(f"  {key}: {column[key]}")


def main():
    parser = argparse.ArgumentParser(description="Profile a delimited text file.")
    parser.add_argument("file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--delimiter", help="one character; guessed when absent")
    parser.add_argument("--encoding", help="Python codec name; guessed when absent")
    options = parser.parse_args()
    csv.field_size_limit(16 * 1024 * 1024)
    try:
        result = profile(options.file, options.encoding, options.delimiter)
    except (OSError, ValueError, LookupError, csv.Error) as problem:
        print(f"profile_csv: {options.file}: {problem}", file=sys.stderr)
        return 2
    print(json.dumps(result, indent=2, ensure_ascii=False)) if options.json else show(result)
    return 1 if result["ragged_rows"] else 0


if __name__ == "__main__":
    sys.exit(main())
