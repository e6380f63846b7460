"""Records of matches in the format replay/1, for `molerun replay`."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import operator
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence

from molerun.offers import Action
from molerun.rules import Result


def match_id(seed: str) -> str:
    """The name of a match: it follows from the seed, but nobody can read the seed out of it."""
    return f"python-{_commitment(seed)[:12]}"


def _nonce(seed: str) -> str:
    return hashlib.sha256(f"nonce {seed}".encode()).hexdigest()[:32]


def _commitment(seed: str) -> str:
    return hashlib.sha256(bytes.fromhex(_nonce(seed) + seed)).hexdigest()


class Record:
    """The lines of one match. Each has the hash of all before it, so nobody can change one unnoticed."""

    def __init__(self, header: Mapping[str, Any], rules_version: int, names: Sequence[str]) -> None:
        """header is that of the table's snapshot: game, config, seats, seed."""
        self._seed: str = header["seed"]
        first = {
            "format": "replay/1",
            "match": match_id(self._seed),
            "game": header["game"],
            "rules_version": rules_version,
            "engine": "molerun python",
            "config": header["config"],
            "seats": [{"alias": f"seat-{k}", "bot": name, "build": ""} for k, name in enumerate(names)],
            "commitment": _commitment(self._seed),
        }
        line = _encode(first)
        self._lines = [line]
        self._hash = hashlib.sha256(line).digest()

    def deal(self, events: Sequence[Mapping[str, Any]], state: str) -> None:
        """Step 0. state is the hash of the table."""
        self._seal({"step": 0, "events": events, "state": state})

    def step(
        self,
        number: int,
        actions: Mapping[int, Action],
        say: Mapping[int, str],
        events: Sequence[Mapping[str, Any]],
        state: str,
    ) -> None:
        """One step: what each seat that was due has done, and what came of it."""
        turns: List[Dict[str, Any]] = []
        for seat in sorted(actions):
            turn: Dict[str, Any] = {"seat": seat, "action": actions[seat]}
            if say.get(seat):
                turn["say"] = say[seat]
            turns.append({**turn, "by": "bot"})
        self._seal({"step": number, "turns": turns, "events": events, "state": state})

    def write(self, folder: Path, name: str, result: Result) -> None:
        """The end, and the file: gzipped, the same bytes for the same match. A name that is taken gets a number."""
        self._seal({"result": result, "retired": [], "seed": self._seed, "nonce": _nonce(self._seed)})
        data = gzip.compress(b"\n".join(self._lines) + b"\n", mtime=0)
        for free in itertools.chain([name], (f"{name}-{k}" for k in itertools.count(2))):
            try:
                with open(folder / f"{free}.jsonl.gz", "xb") as file:
                    file.write(data)
                return
            except FileExistsError:
                continue

    def _seal(self, line: Mapping[str, Any]) -> None:
        opened = _encode(line)[:-1]
        self._hash = hashlib.sha256(self._hash + opened).digest()
        self._lines.append(opened + b',"hash":"' + self._hash.hex().encode() + b'"}')


ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "&<>\u2028\u2029"}
"""What the program escapes in the texts of its events, which the rules must give byte by byte."""


def _encode(value: object) -> bytes:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=operator.index)
    return text.translate(ESCAPED).encode()
