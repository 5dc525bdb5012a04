#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Writes atn-colormap-table.c. Needs matplotlib, for the published tables of viridis, cividis and
magma (released by their authors into the public domain, CC0):

    python3 make-colormap-table.py > atn-colormap-table.c

The diverging map is computed here, in OKLab (Ottosson 2020), which is close to perceptually even:
lightness falls linearly and alike on both sides of a near-white centre, so equal steps of a value
are equal steps for the eye and the sign is carried by blue against orange-red, which the common
kinds of colour blindness tell apart.
"""
import math

from matplotlib import colormaps

N = 256
CENTRE_L, END_L = 0.975, 0.365
BLUE_HUE, RED_HUE = 257.0, 31.0  # degrees in OKLCh


def oklab_to_linear(l, a, b):
    l_ = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m_ = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s_ = (l - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (+4.0767416621 * l_ - 3.3077115913 * m_ + 0.2309699292 * s_,
            -1.2684380046 * l_ + 2.6097574011 * m_ - 0.3413193965 * s_,
            -0.0041960863 * l_ - 0.7034186147 * m_ + 1.7076147010 * s_)


def to_srgb(linear):
    def encode(c):
        c = min(max(c, 0.0), 1.0)
        return 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055
    return tuple(encode(c) for c in linear)


def largest_chroma(l, hue):
    """The most colourful point of this lightness and hue that sRGB has."""
    low, high = 0.0, 0.4
    for _ in range(40):
        mid = (low + high) / 2
        rgb = oklab_to_linear(l, mid * math.cos(hue), mid * math.sin(hue))
        low, high = (mid, high) if all(-1e-6 <= c <= 1 + 1e-6 for c in rgb) else (low, mid)
    return low


def diverging(position):
    t = abs(2 * position - 1)
    hue = math.radians(RED_HUE if position > 0.5 else BLUE_HUE)
    l = CENTRE_L + (END_L - CENTRE_L) * t
    wanted = 0.155 * math.sin(min(t / 0.8, 1.0) * math.pi / 2)
    chroma = min(wanted, 0.97 * min(largest_chroma(l, math.radians(h))
                                    for h in (RED_HUE, BLUE_HUE)))
    return to_srgb(oklab_to_linear(l, chroma * math.cos(hue), chroma * math.sin(hue)))


def write(name, colors):
    print(f"static const guint8 {name.upper()}[ATN_COLORMAP_N_ENTRIES][3] = {{")
    for start in range(0, N, 6):
        cells = ", ".join("{ %d, %d, %d }" % tuple(round(255 * c) for c in rgb[:3])
                          for rgb in colors[start:start + 6])
        print(f"  {cells},")
    print("};\n")


if __name__ == "__main__":
    print("""/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The Attnscope developers
 *
 * Written by make-colormap-table.py; change that and run it again. sRGB, 0 … 255.
 *
 * viridis, magma: Stéfan van der Walt, Nathaniel Smith, 2015 (CC0)
 * cividis: Jamie Nuñez, Christopher Anderton, Ryan Renslow, 2018 (CC0)
 */

#include "plot/atn-colormap-table.h"

/* clang-format off */""")
    for map_name in ("viridis", "cividis", "magma"):
        write(map_name, colormaps[map_name].colors)
    # 255 entries, so that zero has one of its own; the last is there twice to fill the table.
    write("diverging", [diverging(min(i / (N - 2), 1.0)) for i in range(N)])
    print("""/* clang-format on */

const guint8 (*atn_colormap_get_table (AtnColormap self))[3]
{
  switch (self) {
  case ATN_COLORMAP_CIVIDIS:
    return CIVIDIS;
  case ATN_COLORMAP_MAGMA:
    return MAGMA;
  case ATN_COLORMAP_DIVERGING:
    return DIVERGING;
  default:
    return VIRIDIS;
  }
}""")
