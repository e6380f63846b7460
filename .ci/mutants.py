"""Reads what gremlins wrote (JSON) and the source; prints the mutants that live and a table by file. Called by .ci/mutate."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

folder, report, seconds, endless = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
COLUMNS = ["KILLED", "TIMED OUT", "LIVED", "NOT VIABLE", "NOT COVERED"]


def where(file, line):
    """The function and the text of a line."""
    lines = (folder / file).read_text().splitlines()
    for above in reversed(lines[:line]):
        if match := re.match(r"func (?:\([^)]*\) )?(\w+)", above):
            return match[1], lines[line - 1].strip()
        if above == "}":
            break
    return "(package)", lines[line - 1].strip()


def percent(count):
    """The share killed; tests that do not end have noticed too."""
    killed = count["KILLED"] + count["TIMED OUT"]
    return 100 * killed / max(1, killed + count["LIVED"] + count["NOT COVERED"])


def row(name, count):
    print(f"{name:16}", *(f"{count[column]:11}" for column in COLUMNS), f"{percent(count):9.1f} %")


files, total = {}, Counter()
for entry in json.loads(Path(report).read_text())["files"]:
    file = entry["file_name"]
    files[file] = Counter(mutation["status"] for mutation in entry["mutations"])
    total += files[file]
    for m in sorted(entry["mutations"], key=lambda m: (m["line"], m["column"])):
        if m["status"] in ("LIVED", "NOT COVERED"):
            function, text = where(file, m["line"])
            print(f"{file}:{m['line']}:{m['column']} {function} {m['type']}: {text}")

print(f"\n{str(folder):16}", *(f"{column.lower():>11}" for column in COLUMNS), f"{'killed':>11}")
for file in sorted(files):
    row(file, files[file])
row("all", total)
print(f"{endless} of the killed did not end; {seconds // 60} min {seconds % 60} s")
low = [f"{folder}: fewer than 85 % killed"] if percent(total) < 85 else []
if percent(files.get("view.go", {"KILLED": 1, "TIMED OUT": 0, "LIVED": 0, "NOT COVERED": 0})) < 90:
    low.append(f"{folder}/view.go: fewer than 90 % killed")
print("\n".join(low), end="\n" if low else "")
sys.exit(1 if low else 0)
