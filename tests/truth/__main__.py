"""Prints what a pair of `pairs.toml` shares, as it is to be written there: for new pairs."""

from __future__ import annotations

import json
import sys

from tests.truth.pairs import pairs
from tests.truth.truth import expected

for pair in pairs():
    if pair.name in sys.argv[1:]:
        print(f"# {pair.name}")
        for name, value in expected(*pair.made).items():
            if name != "passages":
                print(f"{name} = {json.dumps(value)}")
                continue
            print("passages = [")
            for one in value:
                fields = ", ".join(f"{key} = {json.dumps(one[key])}" for key in one)
                print(f"  {{ {fields} }},")
            print("]")
