#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
#
# Lists the files with messages in po/POTFILES and merges new messages into the translations.

set -e
cd "$(dirname "$0")/.."

{
  grep -lE '\b(_|N_|C_|NC_|ngettext|g_dngettext) ?\("' -r src --include='*.c' --include='*.h'
  grep -lE 'translatable="(yes|true)"' -r ui --include='*.ui' 2>/dev/null || true
  ls resources/*.desktop.in resources/*.gschema.xml resources/*.metainfo.xml.in resources/*.mime.xml.in \
    scripts/attnscope-fetch.py
} | LC_ALL=C sort -u >po/POTFILES

pot=$(mktemp)
trap 'rm -f "$pot"' EXIT
scripts/extract-messages.sh "$pot"
for language in $(cat po/LINGUAS); do
  msgmerge --add-location=file --quiet --update --backup=none --no-fuzzy-matching "po/$language.po" "$pot"
  msgattrib --no-obsolete -o "po/$language.po" "po/$language.po"
  msgfmt --check --statistics -o /dev/null "po/$language.po"
done
