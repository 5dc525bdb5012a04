#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
#
# extract-messages.sh FILE.pot: the messages of all files in po/POTFILES, as meson's
# attnscope-pot target extracts them.

xgettext --from-code=UTF-8 --add-comments=Translators --add-location=file --package-name=attnscope \
  --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 --keyword=g_dcgettext:2 \
  --keyword=g_dngettext:2,3 --keyword=g_dpgettext2:2c,3 \
  --flag=N_:1:pass-c-format --flag=C_:2:pass-c-format --flag=NC_:2:pass-c-format \
  --flag=g_dngettext:2:pass-c-format --flag=g_strdup_printf:1:c-format \
  --flag=g_string_printf:2:c-format --flag=g_string_append_printf:2:c-format \
  --flag=g_error_new:3:c-format --flag=g_set_error:4:c-format \
  --files-from=po/POTFILES --directory=. --output="$1"
