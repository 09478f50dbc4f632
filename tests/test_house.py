"""The house around the code: what is committed, what is pinned, what the walls catch."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOMS = ("spec", "verify", "generator", "reports")
# Assembled, so that this file holds none of what it looks for.
MACHINE_PATH = re.compile(
    r"(?<![\w.~/-])/(?:" + "|".join(["root", "work", "home", "Users"]) + r")/\w"
)
HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pythonhosted", "org"),
        ("pypi", "org/simple"),
        ("registry", "npmjs"),
        ("deb", "debian"),
        ("proxy", "golang"),
    )
)
PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[0-9][A-Za-z0-9.!+]*)")


@pytest.fixture(scope="module")
def committed(root: Path) -> list[str]:
    """The files that git knows, by their path from the root."""
    if not (root / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if (root / name).is_file()]


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    """pyproject.toml, parsed."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pins(root: Path) -> dict[str, str]:
    """The version of each pinned name; the lines' form has a test of its own."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = (PIN.fullmatch(line) for line in lines)
    return {canonicalize_name(pin["name"]): pin["version"] for pin in found if pin is not None}


@pytest.mark.parametrize(
    "line",
    [
        "see /" + "root/notes.txt",
        "path: '/" + "work/main/spec'",
        "/" + "home/ann/dealproof",
        "https://files.pythonhosted" + ".org/packages/x.whl",
    ],
)
def test_the_scan_sees_what_ties_a_file_to_a_machine(line: str) -> None:
    assert _ties(line)


@pytest.mark.parametrize(
    "line", ["docs/work/x", "the root/branch", "~/work/x", "https://a.org/home/x"]
)
def test_the_scan_lets_other_paths_pass(line: str) -> None:
    assert not _ties(line)


def test_no_committed_file_names_a_machine_or_a_registry(root: Path, committed: list[str]) -> None:
    found = [
        f"{name}:{number}: {tie}"
        for name in committed
        for number, line in enumerate(_text(root / name).splitlines(), 1)
        for tie in _ties(line)
    ]
    assert found == []


def test_every_folder_of_modules_is_a_package(committed: list[str]) -> None:
    """Without it pytest takes tests/spec for spec, and the wheel drops a sub-package."""
    folders = {
        Path(name).parent
        for name in committed
        if name.endswith(".py") and name.startswith(tuple(f"{room}/" for room in ("tests", *ROOMS)))
    }
    lacking = sorted(
        str(folder) for folder in folders if f"{folder.as_posix()}/__init__.py" not in committed
    )
    assert lacking == []


def test_the_walls_know_every_room(committed: list[str], project: dict[str, Any]) -> None:
    packages = {
        Path(name).parts[0]
        for name in committed
        if len(Path(name).parts) == 2 and Path(name).name == "__init__.py"
    }
    assert packages - {"tests"} == set(ROOMS)
    assert set(project["tool"]["importlinter"]["root_packages"]) == set(ROOMS)


def test_every_constraint_is_a_name_and_a_version(root: Path) -> None:
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert lines
    assert [line for line in lines if PIN.fullmatch(line) is None] == []
    assert lines == sorted(set(lines), key=str.lower)


def test_everything_that_gets_installed_is_pinned(
    project: dict[str, Any], pins: dict[str, str]
) -> None:
    wanted = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
    ]
    todo = [Requirement(line) for line in wanted]
    reached: set[str] = set()
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        assert name in pins, f"{name} is not in constraints.txt"
        assert requirement.specifier.contains(pins[name]), f"{requirement} excludes {pins[name]}"
        if name not in reached and name != "setuptools":
            reached.add(name)
            todo.extend(_needs(name))
    assert set(pins) - reached == {"setuptools"}


def test_the_tests_run_on_the_pinned_versions(pins: dict[str, str]) -> None:
    installed = {name: importlib.metadata.version(name) for name in pins if name != "setuptools"}
    assert installed == {name: pins[name] for name in installed}


def test_make_lists_every_target(root: Path) -> None:
    text = (root / "Makefile").read_text(encoding="utf-8")
    phony = [name for line in re.findall(r"^\.PHONY:(.*)$", text, re.M) for name in line.split()]
    rules = re.findall(r"^([a-z][a-z-]*):", text, re.M)
    assert sorted(phony) == sorted(rules)
    done = subprocess.run(["make"], cwd=root, capture_output=True, text=True, check=True)
    listed = dict(re.findall(r"^  ([a-z-]+) +(\S.*)$", done.stdout, re.M))
    assert sorted(listed) == sorted(phony)


def test_an_old_python_is_told_so(root: Path, tmp_path: Path) -> None:
    """``make run`` stops with the needed version, and makes no environment."""
    old = tmp_path / "python"
    old.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && { echo Python 3.9.2; exit 0; }\nexit 1\n',
        encoding="utf-8",
    )
    old.chmod(0o755)
    folder = tmp_path / "clone"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (folder / name).write_bytes((root / name).read_bytes())
    command = ["make", f"PYTHON={old}", "run"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "is Python 3.9.2; dealproof needs Python 3.11 or newer" in done.stderr
    assert not (folder / ".venv").exists()


def test_the_command_line_leaves_solving_to_the_rooms(root: Path) -> None:
    """import-linter sees packages only; dealproof.py is a module."""
    tree = ast.parse((root / "dealproof.py").read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported & {"z3", "numba", "llvmlite", "numpy", "scipy"} == set()


def test_the_walls_stand_in_an_innocent_house(root: Path, tmp_path: Path) -> None:
    done = _lint(_house(root, tmp_path))
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("spec.cards", "import verify.moves", "rooms import downwards"),
        ("verify.moves", "from generator import packs", "rooms import downwards"),
        ("reports", "import dealproof", "no room imports the command line"),
        ("generator", "def f():\n    import z3", "only verify.smt imports z3"),
        ("spec", "from z3 import Int", "only verify.smt imports z3"),
        ("generator", "from numba import njit", "only verify.search imports numba"),
        ("verify.smt", "import numba", "only verify.search imports numba"),
        ("verify.checker", "import numpy", "the trusted core is plain Python"),
        ("verify.certificate", "import verify.search", "the trusted core is plain Python"),
        ("spec.cards", "import numpy", "the trusted core is plain Python"),
        ("verify.rules", "import z3", "the trusted core is plain Python"),
        ("verify.position", "import verify.moves", "inside verify"),
        ("verify.search", "import verify.smt", "inside verify"),
        ("verify.surprise", "", "inside verify"),
    ],
)
def test_a_wall_catches_what_climbs_over_it(
    root: Path, tmp_path: Path, module: str, line: str, contract: str
) -> None:
    house = _house(root, tmp_path)
    folder = house.joinpath(*module.split("."))
    folder.mkdir(exist_ok=True)
    with (folder / "__init__.py").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    done = _lint(house)
    assert done.returncode == 1
    assert re.search(rf"^{re.escape(contract)}[^\n]*(?:\n[^\n]+)? BROKEN$", done.stdout, re.M)


def _house(root: Path, target: Path) -> Path:
    """A house with this one's walls, the modules that they name, and next to no imports."""
    config = root / "pyproject.toml"
    contracts = tomllib.loads(config.read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (inside,) = (one for one in contracts if one["id"] == "verify")
    modules = {"spec.cards": "", "generator.packs": ""}
    modules |= dict.fromkeys(ROOMS, "")
    modules |= {
        f"verify.{name.strip(' ()')}": ""
        for layer in inside["layers"]
        for name in re.split(r"[|:]", layer)
    }
    modules |= {
        "verify.position": "import spec.cards",
        "verify.checker": "import verify.position",
        "verify.search": "import numba",
        "verify.smt": "import z3",
    }
    for module, line in modules.items():
        folder = target.joinpath(*module.split("."))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text(f"{line}\n", encoding="utf-8")
    (target / "pyproject.toml").write_bytes(config.read_bytes())
    return target


def _lint(house: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-logo", "--no-cache"]
    return subprocess.run(command, cwd=house, capture_output=True, text=True, check=False)


def _needs(name: str) -> list[Requirement]:
    lines = importlib.metadata.requires(name) or []
    needed = [Requirement(line) for line in lines]
    return [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]


def _ties(line: str) -> list[str]:
    """What in ``line`` belongs to one machine or one registry."""
    return [*MACHINE_PATH.findall(line), *(host for host in HOSTS if host in line)]


def _text(path: Path) -> str:
    """The text of a file; nothing for a binary one."""
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8", errors="replace")
