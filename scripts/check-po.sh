#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
#
# check-po.sh FILE.po: fails and names the messages of the sources that the file lacks.

cd "$(dirname "$0")/.." || exit 1
pot=$(mktemp) || exit 1
trap 'rm -f "$pot"' EXIT

scripts/extract-messages.sh "$pot" || exit 1
# msgcmp is satisfied only when every message of the template is there and translated.
msgcmp --use-untranslated "$1" "$pot" 2>&1 | grep -v '^msgcmp: found' >&2
! msgcmp --use-untranslated "$1" "$pot" 2>&1 | grep -q .
