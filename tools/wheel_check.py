"""Whether the wheel is whole: built, installed in a bare environment, run from another folder.

An editable install hides a file that the wheel lacks; this does not. Run by ``make wheel-check``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("spec", "verify", "generator", "reports")
PUBLISHED = "reports/published/"  # for readers of the repository; nothing that runs reads it
MINUTES = 10


class WheelError(Exception):
    """What is wrong with the wheel, in words for a person."""


def main() -> int:
    """0 if the wheel is whole, else 1 with the reason on standard error."""
    with tempfile.TemporaryDirectory(prefix="dealproof-wheel-") as name:
        folder = Path(name)
        try:
            wheel = build(folder / "dist")
            check_files(wheel)
            check_command(install(wheel, folder / "bare"), folder / "elsewhere")
        except WheelError as error:
            print(f"wheel-check: {error}", file=sys.stderr)
            return 1
    print("wheel-check: the wheel is whole")
    return 0


def build(target: Path) -> Path:
    """The wheel, built from the sources alone: what an older build left behind is removed first."""
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    for stale in ROOT.glob("*.egg-info"):
        shutil.rmtree(stale)
    print("Building the wheel")
    _run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), "."],
        cwd=ROOT,
    )
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    (wheel,) = target.glob("*.whl")
    return wheel


def check_files(wheel: Path) -> None:
    """Nothing, if every committed file of the rooms is in the wheel; else WheelError names it."""
    listed = _run(["git", "ls-files", "-z", "--", "dealproof.py", *ROOMS], cwd=ROOT).stdout
    wanted = {
        name
        for name in listed.split("\0")
        if (ROOT / name).is_file() and not name.startswith(PUBLISHED)
    }
    with zipfile.ZipFile(wheel) as archive:
        missing = sorted(wanted - set(archive.namelist()))
    if missing:
        shown = "\n  ".join(missing[:20])
        raise WheelError(
            f"{len(missing)} committed files are not in the wheel (package-data in pyproject.toml "
            f"names the kinds of file; a folder of modules needs an __init__.py):\n  {shown}"
        )


def install(wheel: Path, target: Path) -> Path:
    """The ``dealproof`` command of a new environment that holds the wheel and what it runs on."""
    print("Installing it into a bare environment (about a minute)")
    venv.create(target, with_pip=True)
    pip = [str(target / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
    _run([*pip, "-qq", "--constraint", str(ROOT / "constraints.txt"), str(wheel)], cwd=target)
    return target / "bin" / "dealproof"


def check_command(command: Path, folder: Path) -> None:
    """Nothing, if ``dealproof check`` answers: 0 and no findings, or 1 and findings."""
    folder.mkdir()
    print("Running dealproof check from another folder")
    done = subprocess.run(
        [str(command), "check"],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
        timeout=MINUTES * 60,
    )
    said = done.stdout + done.stderr
    if "Traceback" in said:
        raise WheelError(f"dealproof check ends in a traceback:\n{said}")
    if done.returncode not in {0, 1}:
        raise WheelError(f"dealproof check ends with {done.returncode}, not 0 or 1:\n{said}")
    if not done.stdout.strip():
        raise WheelError(f"dealproof check ends with {done.returncode} and says nothing:\n{said}")


def _run(command: list[str], *, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The finished command; WheelError with all that it said unless it ends with 0."""
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, timeout=MINUTES * 60
    )
    if done.returncode != 0:
        raise WheelError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done


if __name__ == "__main__":
    sys.exit(main())
