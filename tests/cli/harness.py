# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Runs attnscope-cli as a script would, and speaks TAP.

A test is a function; its name is the sentence that is reported. Called with the program's path."""

import ast
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import traceback
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cases"
FIXTURES = ROOT / "tests/fixtures/models"
PROGRAM = str(Path(sys.argv[1]).resolve())
BUILD = Path(PROGRAM).parents[2]


class Skip(Exception):
    """A test that cannot run here, with the reason."""


class Done:
    """What a run left behind."""

    def __init__(self, status, out, err):
        self.status = status
        self.bytes = out
        self.err = err

    @property
    def out(self):
        return self.bytes.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def rows(self):
        """A CSV matrix without its labels, as floats; an empty field is None."""
        import csv
        rows = list(csv.reader(self.out.splitlines()))
        return [[float(cell) if cell else None for cell in row[1:]] for row in rows[1:]]


def cli(*arguments, stdin=b"", stdout=None, env=None, cwd=None):
    """Runs the program to its end, whatever its status."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG"))}
    environment["LC_ALL"] = "C.UTF-8"
    # The models of whoever runs the tests are not looked at.
    environment["XDG_DATA_HOME"] = os.devnull
    environment.update(env or {})
    result = subprocess.run(
        [PROGRAM, *map(os.fspath, arguments)], input=stdin, env=environment, cwd=cwd,
        stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
    return Done(result.returncode, result.stdout or b"", result.stderr.decode("utf-8"))


def good(*arguments, **options):
    """A run that succeeds and says nothing on standard error."""
    done = cli(*arguments, **options)
    assert done.status == 0, f"exit status {done.status}: {done.err}"
    assert done.err == "", f"on standard error: {done.err}"
    return done


def refused(status, *arguments, **options):
    """A run that fails with this status, one sentence, and nothing on standard output."""
    done = cli(*arguments, **options)
    assert done.status == status, f"exit status {done.status}, expected {status}: {done.err}"
    assert done.bytes == b"", f"on standard output: {done.bytes[:200]}"
    assert done.err.startswith("attnscope-cli: "), f"on standard error: {done.err}"
    assert done.err.count("\n") == 1 and done.err.endswith("\n"), f"not one line: {done.err}"
    return done


def bad_input(*arguments, **options):
    return refused(1, *arguments, **options)


def wrong_usage(*arguments, **options):
    return refused(2, *arguments, **options)


def has_address_sanitizer():
    """Whether the program was built with it: its memory says nothing then."""
    return b"__asan_init" in Path(PROGRAM).read_bytes()


def close(found, expected, tolerance=2e-5):
    """Whether two nested lists of numbers are equal; None only equals None."""
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected), f"{len(found)} items, expected {len(expected)}"
        for a, b in zip(found, expected):
            close(a, b, tolerance)
    elif expected is None or found is None:
        assert found is expected, f"found {found}, expected {expected}"
    else:
        assert abs(found - expected) <= tolerance, f"found {found}, expected {expected}"


def read_npy(data):
    """Shape and float32 values of an NPY file."""
    assert data[:6] == b"\x93NUMPY", data[:10]
    n_header = struct.unpack("<H", data[8:10])[0]
    assert (10 + n_header) % 64 == 0, "the data are not aligned"
    header = ast.literal_eval(data[10:10 + n_header].decode("ascii"))
    assert header["descr"] == "<f4" and header["fortran_order"] is False, header
    n_values = 1
    for size in header["shape"]:
        n_values *= size
    values = struct.unpack(f"<{n_values}f", data[10 + n_header:])
    return header["shape"], values


def read_png(data):
    """Width, height, and the text chunks of a PNG whose checksums are right."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    position, texts, size = 8, {}, None
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + length]
        crc = struct.unpack(">I", data[position + 8 + length:position + 12 + length])[0]
        assert crc == zlib.crc32(kind + body), f"checksum of {kind}"
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        if kind == b"iTXt":
            key, rest = body.split(b"\0", 1)
            compressed = rest[0] == 1
            text = rest[2:].split(b"\0", 2)[2]
            texts[key.decode()] = (zlib.decompress(text) if compressed else text).decode()
        if kind == b"tEXt":
            key, text = body.split(b"\0", 1)
            texts[key.decode()] = text.decode("latin-1")
        position += 12 + length
    return size[0], size[1], texts


def unfilter(kind, line, above, n_channels):
    """Undoes the filter of one line of a PNG, in place."""
    if kind == 2:
        line[:] = bytes((a + b) & 0xFF for a, b in zip(line, above))
    elif kind == 1:
        for i in range(n_channels, len(line)):
            line[i] = (line[i] + line[i - n_channels]) & 0xFF
    elif kind in (3, 4):
        for i, b in enumerate(above):
            a, c = (line[i - n_channels], above[i - n_channels]) if i >= n_channels else (0, 0)
            # Paeth: the neighbour that is nearest to a + b - c.
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[i] = (line[i] + ((a + b) // 2 if kind == 3 else nearest)) & 0xFF


def read_pixels(data):
    """Rows of (red, green, blue) of a PNG with eight bits a channel."""
    width, height, _ = read_png(data)
    kind = data[25]
    assert data[24] == 8 and kind in (2, 6) and data[28] == 0, "not plain RGB or RGBA"
    n_channels = 3 if kind == 2 else 4
    packed, position = b"", 8
    while position < len(data):
        length, name = struct.unpack(">I4s", data[position:position + 8])
        if name == b"IDAT":
            packed += data[position + 8:position + 8 + length]
        position += 12 + length
    raw, stride = zlib.decompress(packed), width * n_channels
    above, rows = bytearray(stride), []
    for y in range(height):
        start = y * (stride + 1)
        line = bytearray(raw[start + 1:start + 1 + stride])
        unfilter(raw[start], line, above, n_channels)
        rows.append([tuple(line[x:x + 3]) for x in range(0, stride, n_channels)])
        above = line
    return rows


def locale_env(folder, language):
    """The environment of a locale that is compiled for the test, as few machines have it."""
    path = folder / f"{language}.UTF-8"
    try:
        subprocess.run(["localedef", "-c", "-i", language, "-f", "UTF-8", path],
                       capture_output=True, check=False)
    except FileNotFoundError as error:
        raise Skip("localedef is not installed") from error
    if not path.exists():
        raise Skip(f"there is no source of the locale {language}")
    return {"LC_ALL": path.name, "LOCPATH": str(folder)}


def run_all(tests):
    """Runs the functions whose names begin with test_."""
    names = [n for n in tests if n.startswith("test_")]
    n_failed = 0
    print(f"1..{len(names)}")
    for number, name in enumerate(names, 1):
        case = re.match(r"Cases? (\d+)", tests[name].__doc__ or "")
        sentence = name.removeprefix("test_").replace("_", " ")
        if case is not None:
            sentence = f"/cases/{case[1]:>03} {sentence}"
        with tempfile.TemporaryDirectory() as folder:
            try:
                tests[name](Path(folder))
                print(f"ok {number} - {sentence}", flush=True)
            except Skip as reason:
                print(f"ok {number} - {sentence} # SKIP {reason}", flush=True)
            except Exception:  # pylint: disable=broad-except
                n_failed += 1
                print(f"not ok {number} - {sentence}", flush=True)
                for line in traceback.format_exc().splitlines()[-6:]:
                    print(f"# {line}", flush=True)
    sys.exit(1 if n_failed else 0)
