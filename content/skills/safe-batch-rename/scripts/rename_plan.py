#!/usr/bin/env python3
"""Rename many files by way of a plan that can be read, checked, applied and undone.

  rename_plan.py plan  DIR [--glob '*.jpg'] [--recursive] RULES > plan.csv
  rename_plan.py check DIR plan.csv
  rename_plan.py apply DIR plan.csv --log undo.csv
  rename_plan.py undo  DIR undo.csv

RULES are applied in this order, each optional:
  --find REGEX --replace TEXT   Python regex on the stem; groups as \\1 or \\g<name>
  --slug                        lower case, ASCII, words joined by hyphens
  --date-prefix                 put the modification day in front, YYYY-MM-DD
  --number START --width N      append -001, -002 ... in natural name order
  --ext-lower                   lower-case the extension

Only names change: a file stays in its folder. Nothing is ever overwritten.
Python 3.8+, standard library only. Exit code 0 fine, 1 problems found, 2 bad input.
"""
import argparse
import csv
import datetime
import fnmatch
import os
import re
import sys
import unicodedata

RESERVED = {"con", "prn", "aux", "nul"} | {f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10)}
FORBIDDEN = re.compile(r'[<>:"|?*\\/\x00-\x1f]')


def natural(name):
    return [(1, int(p), "") if p.isdigit() else (0, 0, p.casefold()) for p in re.split(r"([0-9]+)", name)]


def same_key(path):
    """How a case-insensitive, normalising file system sees a path."""
    return unicodedata.normalize("NFC", path).casefold()


def listing(root, glob, recursive):
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith(".")] if recursive else []
        for name in names:
            path = os.path.join(folder, name)
            if name.startswith(".") or os.path.islink(path) or not fnmatch.fnmatch(name, glob):
                continue
            found.append(os.path.relpath(path, root))
    return sorted(found, key=lambda p: [natural(part) for part in p.split(os.sep)])


def slug(stem):
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def split_ext(name):
    for double in (".tar.gz", ".tar.bz2", ".tar.xz"):
        if name.lower().endswith(double):
            return name[:-len(double)], name[-len(double):]
    return os.path.splitext(name)


def make_plan(args):
    rows = []
    number = args.number
    for path in listing(args.dir, args.glob, args.recursive):
        folder, name = os.path.split(path)
        stem, ext = split_ext(name)
        if args.find is not None:
            changed, hits = re.subn(args.find, args.replace, stem)
            if not hits:
                continue
            stem = changed
        if args.slug:
            stem = slug(stem)
        if args.date_prefix and not re.match(r"\d{4}-\d{2}-\d{2}", stem):
            day = datetime.date.fromtimestamp(os.stat(os.path.join(args.dir, path)).st_mtime)
            stem = f"{day.isoformat()}-{stem}"
        if number is not None:
            stem = f"{stem}-{number:0{args.width}d}"
            number += 1
        if args.ext_lower:
            ext = ext.lower()
        new = os.path.join(folder, stem + ext)
        if new != path:
            rows.append({"old": path, "new": new})
    writer = csv.DictWriter(sys.stdout, ["old", "new"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    print(f"{len(rows)} names would change", file=sys.stderr)
    return 0


def read_rows(path, columns):
    with open(path, newline="", encoding="utf-8-sig", errors="surrogateescape") as handle:
        rows = list(csv.DictReader(handle))
    for row in rows:
        if any(not row.get(c) for c in columns):
            raise ValueError(f"{path}: every row needs {', '.join(columns)}")
    return rows


def problems(root, rows):
    bad = []
    olds = {r["old"] for r in rows}
    stays = {}
    seen_old, seen_new = set(), {}
    for row in rows:
        old, new = row["old"], row["new"]
        note = lambda text: bad.append(f"{old} -> {new}: {text}")
        name = os.path.basename(new)
        full_old = os.path.join(root, old)
        if os.path.isabs(old) or os.path.isabs(new) or ".." in old.split(os.sep) + new.split(os.sep):
            note("paths must be relative and stay below the folder")
            continue
        if old in seen_old:
            note("listed twice")
        seen_old.add(old)
        if not os.path.lexists(full_old):
            note("the old name does not exist")
        if os.path.dirname(old) != os.path.dirname(new):
            note("would move to another folder")
        if not split_ext(name)[0] or name in (".", ".."):
            note("the new name is empty")
        if FORBIDDEN.search(name):
            note("a character that Windows or exFAT refuses")
        if name != name.rstrip(" .") or name != name.lstrip(" "):
            note("a blank at an end, or a dot at the end")
        if name.startswith("-"):
            note("starts with a hyphen, which commands read as an option")
        if name.split(".")[0].lower() in RESERVED:
            note("a name Windows reserves")
        if len(os.fsencode(name)) > 255:
            note("longer than 255 bytes")
        if split_ext(old)[1].lower() != split_ext(new)[1].lower():
            note("the extension changes")
        key = same_key(new)
        if key in seen_new:
            note(f"same target as {seen_new[key]}")
        seen_new[key] = old
        folder = os.path.dirname(new)
        if folder not in stays:
            stays[folder] = staying(root, folder, olds)
        if stays[folder].get(key) == new:
            note("the target exists already")
        elif key in stays[folder]:
            note("differs only by letter case from a file that stays")
    return bad


def staying(root, folder, olds):
    """The names in a folder that no row renames, by the key under which they clash."""
    full = os.path.join(root, folder)
    names = {os.path.join(folder, name) for name in (os.listdir(full) if os.path.isdir(full) else [])}
    respelt = {same_key(old) for old in olds - names}  # the file system may know them in another case
    return {same_key(name): name for name in names - olds if same_key(name) not in respelt}


def check(args):
    rows = read_rows(args.plan, ["old", "new"])
    bad = problems(args.dir, rows)
    for line in bad:
        print(line)
    print(f"{len(rows)} renames, {len(bad)} problems")
    return 1 if bad else 0


def move(root, source, target):
    if os.path.lexists(os.path.join(root, target)):
        raise FileExistsError(f"{target} exists")
    os.rename(os.path.join(root, source), os.path.join(root, target))


def apply(args):
    if check(args):
        print("nothing was renamed", file=sys.stderr)
        return 1
    rows = read_rows(args.plan, ["old", "new"])
    for index, row in enumerate(rows):
        row["tmp"] = os.path.join(os.path.dirname(row["old"]), f".renaming-{os.getpid()}-{index}")
    with open(args.log, "x", newline="", encoding="utf-8", errors="surrogateescape") as handle:
        writer = csv.DictWriter(handle, ["old", "tmp", "new"], extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    done = []
    try:
        # Two passes, so that a -> b together with b -> a works.
        for source, target in (("old", "tmp"), ("tmp", "new")):
            for row in rows:
                move(args.dir, row[source], row[target])
                done.append((row[target], row[source]))
    except OSError as problem:
        for now, before in reversed(done):
            move(args.dir, now, before)
        os.remove(args.log)
        print(f"stopped and rolled back: {problem}", file=sys.stderr)
        return 1
    print(f"{len(rows)} renamed; undo with: undo {args.dir} {args.log}")
    return 0


def undo(args):
    rows = read_rows(args.plan, ["old", "tmp", "new"])
    skipped = 0
    for source, target in (("new", "tmp"), ("tmp", "old")):
        for row in rows:
            there = {c: os.path.lexists(os.path.join(args.dir, row[c])) for c in ("old", "tmp", "new")}
            if source == "new" and there["tmp"]:
                continue  # an interrupted apply left it halfway
            if not there[source]:
                if source == "tmp":
                    skipped += 1
                    print(f"skipped, {'already restored' if there['old'] else 'not found'}: {row['old']}")
                continue
            move(args.dir, row[source], row[target])
    print(f"{len(rows) - skipped} restored, {skipped} skipped")
    return 1 if skipped else 0


def main():
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = cli.add_subparsers(dest="command", required=True)
    p = sub.add_parser("plan")
    p.add_argument("dir")
    p.add_argument("--glob", default="*")
    p.add_argument("--recursive", action="store_true")
    p.add_argument("--find")
    p.add_argument("--replace", default="")
    p.add_argument("--slug", action="store_true")
    p.add_argument("--date-prefix", action="store_true")
    p.add_argument("--number", type=int)
    p.add_argument("--width", type=int, default=3)
    p.add_argument("--ext-lower", action="store_true")
    p.set_defaults(run=make_plan)
    for name, run in (("check", check), ("apply", apply), ("undo", undo)):
        p = sub.add_parser(name)
        p.add_argument("dir")
        p.add_argument("plan", help="the CSV file")
        if name == "apply":
            p.add_argument("--log", required=True, help="new file for the undo log, best outside DIR")
        p.set_defaults(run=run)
    args = cli.parse_args()
    sys.stdout.reconfigure(errors="surrogateescape")
    if not os.path.isdir(args.dir):
        print(f"error: no folder {args.dir}", file=sys.stderr)
        return 2
    try:
        return args.run(args)
    except (OSError, ValueError, re.error) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
