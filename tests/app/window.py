# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""The window, driven as a person with a screen reader would drive it: by AT-SPI.

Needs a display and a session bus: xvfb-run dbus-run-session. A test is a function that gets a
Window; its name is the sentence that is reported."""

import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

PATIENCE = 20.0
# The short names of AT-SPI's interfaces are marked as old in newer bindings.
warnings.filterwarnings("ignore", category=DeprecationWarning)

KEYS = {"Home": 0xff50, "Left": 0xff51, "Up": 0xff52, "Right": 0xff53, "Down": 0xff54,
        "End": 0xff57, "Escape": 0xff1b, "Enter": 0xff0d, "plus": 0x2b, "0": 0x30, "c": 0x63}
# A key code of X, which a modifier is held by.
CONTROL = 37

# What GTK and the accessibility bus say of themselves.
KNOWN_WARNINGS = ("Screen coordinates not supported", "without a current allocation",
                  "AT-SPI", "dbind")

if "DISPLAY" not in os.environ:
    print("1..0 # skip no display")
    sys.exit(0)
try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
except (ImportError, ValueError):
    print("1..0 # skip no gir1.2-atspi-2.0")
    sys.exit(0)

PROGRAM = Path(sys.argv[1])
ROOT = Path(__file__).resolve().parent.parent.parent


class Failure(AssertionError):
    """Something did not come within PATIENCE."""


class Ended(AssertionError):
    """The program is gone."""


def wait_for(what, function):
    """Asks again and again until the answer is true."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            answer = function()
        except Ended:
            raise
        except Exception:  # a node went away while it was looked at
            answer = None
        if answer:
            return answer
        if time.monotonic() > end:
            raise Failure(f"no {what} within {PATIENCE:.0f} s")
        time.sleep(0.03)


def walk(node):
    """A node and all that is below it."""
    yield node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield from walk(child)


class Window:
    """The running program."""

    def __init__(self, *arguments, home=None, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        self.home = Path(home or self.folder.name)
        self.log = open(Path(self.folder.name) / "log", "w+b")
        env = dict(os.environ, HOME=str(self.home), XDG_CONFIG_HOME=str(self.home / ".config"),
                   XDG_DATA_HOME=str(self.home / ".local/share"),
                   XDG_CACHE_HOME=str(self.home / ".cache"), GSK_RENDERER="cairo",
                   GDK_BACKEND="x11", NO_AT_BRIDGE="0", OPENBLAS_NUM_THREADS="1",
                   G_DEBUG="fatal-criticals", LC_ALL="C.UTF-8")
        env.pop("GTK_A11Y", None)
        env.setdefault("GSETTINGS_BACKEND", "memory")
        env.update(environment or {})
        self.process = subprocess.Popen([PROGRAM, *map(str, arguments)], env=env,
                                        stdout=self.log, stderr=self.log)
        self.root = wait_for("window", self._find_root)

    def _find_root(self):
        if self.process.poll() is not None:
            raise Ended(f"the program ended: {self.read_log()}")
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(index)
            if application is not None and application.get_process_id() == self.process.pid \
                    and application.get_child_count() > 0:
                return application
        return None

    def read_log(self):
        """What the program wrote to its standard output and error."""
        self.log.flush()
        return (Path(self.folder.name) / "log").read_text(errors="replace")

    def find_now(self, name, role=None):
        """(None if absent) the node of a name that is shown."""
        for node in walk(self.root):
            if node.get_name() == name and (role is None or node.get_role_name() == role) \
                    and is_shown(node):
                return node
        return None

    def find(self, name, role=None):
        """The same, which may take a while to appear."""
        return wait_for(f"“{name}”" + (f" ({role})" if role else ""),
                        lambda: self.find_now(name, role))

    def texts(self):
        """All visible text, node by node."""
        for node in walk(self.root):
            if is_shown(node):
                yield node.get_name() or ""
                yield get_text(node) or ""
                yield node.get_description() or ""

    def shows(self, piece):
        """Whether a piece of text is anywhere in the window."""
        return any(piece in text for text in self.texts())

    def wait_to_show(self, piece):
        """Waits until it is."""
        try:
            wait_for(f"text “{piece}”", lambda: self.shows(piece))
        except Failure as failure:
            seen = sorted({text for text in self.texts() if text})
            raise Failure(f"{failure}; there is: {seen}") from None

    def press(self, name, role="push button"):
        """Presses a button; of a menu button that holds one of its name, the inner one acts."""
        def find_pressable():
            return next((node for node in walk(self.root) if node.get_name() == name
                         and node.get_role_name() == role and is_shown(node) and can_act(node)), None)
        act(wait_for(f"“{name}” ({role})", find_pressable))

    def flip(self, name):
        """Flips a switch."""
        act(self.find(name, "check box"))

    def type(self, name, text):
        """Replaces the content of a text."""
        self.find(name, "text").get_editable_text_iface().set_text_contents(text)

    def set_value(self, name, value):
        """Sets a spin button or a slider."""
        self.find(name, "spin button").get_value_iface().set_current_value(value)

    def get_value(self, name):
        """The number of a spin button or a slider."""
        return self.find(name, "spin button").get_value_iface().get_current_value()

    def is_checked(self, name):
        """Whether a switch or a toggle button is on."""
        return self.find(name, "check box").get_state_set().contains(Atspi.StateType.CHECKED)

    def activate(self, action, parameter=None):
        """Activates an action of the window by D-Bus, as a script may; @parameter is GVariant text."""
        path = "/io/github/attnscope/Attnscope/window/1"
        arguments = "[]" if parameter is None else f"[<{parameter}>]"
        subprocess.run(["gdbus", "call", "--session", "--dest", "io.github.attnscope.Attnscope",
                        "--object-path", path, "--method", "org.gtk.Actions.Activate", action,
                        arguments, "{}"], check=True, stdout=subprocess.DEVNULL)

    def hover(self, x, y):
        """Moves the pointer to a place of the screen."""
        Atspi.generate_mouse_event(x, y, "abs")

    def click(self, x, y):
        """Clicks there."""
        self.hover(x, y)
        Atspi.generate_mouse_event(x, y, "b1c")

    def focus_first_cell(self):
        """Clicks into the heatmap and goes to its first cell, which stays pinned."""
        box = get_box(self.find("Heatmap"))
        self.click(box.x + box.width // 2, box.y + box.height // 2)
        self.wait_to_show("query ")
        press_key("Home", control=True)
        self.wait_to_show("query 0, key 0")

    def go_to_cell(self, query, key):
        """Moves the cursor by the arrows."""
        self.focus_first_cell()
        for _ in range(query):
            press_key("Down")
        for _ in range(key):
            press_key("Right")
        self.wait_to_show(f"query {query}, key {key}")

    def wait_for_cell(self, query, key, value):
        """Waits until the heatmap says that a cell is under its cursor; the names are labels."""
        text = f"Query “{query}”, key “{key}”: {value}"
        wait_for(f"the heatmap to say {text}",
                 lambda: self.find("Heatmap").get_description() == text)

    def end(self):
        """Ends the program if it still runs."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        # Its name on the bus must be free before the next one starts.
        time.sleep(0.2)

    def close(self):
        """Ends the program; it must have said nothing alarming."""
        self.end()
        log = self.read_log()
        self.log.close()
        self.folder.cleanup()
        for line in log.splitlines():
            if ("CRITICAL" in line or "ERROR" in line or "WARNING **" in line) and not any(
                    known in line for known in KNOWN_WARNINGS):
                raise Failure(line)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        """Closes it, or shows its log where a test has failed."""
        if kind is None:
            self.close()
            return
        self.end()
        print("#", self.read_log().replace("\n", "\n# "))


def is_shown(node):
    """Whether a node has a place in the window; GTK 4.8 keeps no state that says so."""
    if node.get_component_iface() is None:
        return False
    extents = get_box(node)
    return extents.width > 0 and extents.height > 0


def get_box(node):
    """Where a node is in its window."""
    return node.get_component_iface().get_extents(Atspi.CoordType.WINDOW)


def press_key(name, control=False):
    """Types a key into what has the focus."""
    if control:
        Atspi.generate_keyboard_event(CONTROL, None, Atspi.KeySynthType.PRESS)
    Atspi.generate_keyboard_event(KEYS[name], None, Atspi.KeySynthType.SYM)
    if control:
        Atspi.generate_keyboard_event(CONTROL, None, Atspi.KeySynthType.RELEASE)


def get_text(node):
    """The content of a text, None for other nodes."""
    text = node.get_text_iface()
    if text is None:
        return None
    return Atspi.Text.get_text(text, 0, Atspi.Text.get_character_count(text))


def can_act(node):
    """Whether a node has an action."""
    action = node.get_action_iface()
    return action is not None and action.get_n_actions() > 0


def act(node):
    """Does a node's first action."""
    action = node.get_action_iface()
    if not can_act(node):
        raise Failure(f"“{node.get_name()}” ({node.get_role_name()}) has no action")
    action.do_action(0)


def run_all(tests):
    """Runs each test_… in a program of its own, and reports by TAP."""
    names = [name for name in tests if name.startswith("test_")]
    print(f"1..{len(names)}", flush=True)
    n_failed = 0
    for number, name in enumerate(names, 1):
        sentence = name.removeprefix("test_").replace("_", " ")
        # test_case_2_… holds a case of tests/cases.
        sentence = re.sub(r"^case (\d+) ", lambda match: f"/cases/{match[1]:>03} ", sentence)
        try:
            tests[name]()
            print(f"ok {number} {sentence}", flush=True)
        except Exception as error:
            n_failed += 1
            print(f"not ok {number} {sentence}")
            for line in traceback.format_exc().splitlines() + [str(error)]:
                print(f"# {line}", flush=True)
    sys.exit(1 if n_failed else 0)
