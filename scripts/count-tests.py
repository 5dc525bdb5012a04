#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Counts the test cases of meson's testlog.json: each TAP line is one.

Prints the names of those that failed, with the end of their output, then "PASSED FAILED" as the
last line. A program that crashed, timed out or promised more cases than it ran is one failure more.
"""

import json
import re
import sys

TAP = re.compile(r"^(not )?ok\b(?P<rest>.*)$")


def count(test):
    """Passed, failed and the names of the failed cases of one line of the log."""
    passed, failed = 0, []
    for line in (test.get("stdout") or "").splitlines():
        match = TAP.match(line)
        if match is None:
            continue
        rest = match["rest"]
        if re.search(r"#\s*(skip|todo)", rest, re.IGNORECASE):
            continue
        if match[1]:
            failed.append(rest.strip())
        else:
            passed += 1
    good = test["result"] in ("OK", "SKIP", "EXPECTEDFAIL")
    if not good and not failed:
        failed.append(test["result"].lower())
    if good and passed == 0 and test["result"] == "OK":
        passed = 1
    return passed, failed


def main(path):
    all_passed, all_failed = 0, 0
    with open(path, encoding="utf-8") as log:
        for line in log:
            test = json.loads(line)
            passed, failed = count(test)
            all_passed += passed
            all_failed += len(failed)
            for name in failed:
                print(f"   FAILED {test['name']}: {name}")
            if failed:
                output = (test.get("stdout") or "") + (test.get("stderr") or "")
                for tail in output.splitlines()[-15:]:
                    print(f"      {tail}")
    print(all_passed, all_failed)


main(sys.argv[1])
