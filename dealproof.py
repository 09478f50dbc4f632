"""The command line: parse, call, print, exit. It decides nothing."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from spec.errors import InputError, InputErrors, Place, Unsupported
from spec.game import Game, game_names, load_game


class Exit(IntEnum):
    """The exit codes, as the README's table explains them."""

    AS_ASKED = 0
    ANSWER_IS_NO = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    OUR_FAULT = 4
    INTERRUPTED = 130


STORE = Path(".dealproof") / "runs.sqlite"

app = typer.Typer(
    help="Checks the rules of solitaire games, and makes deals with a proof that they can or "
    "cannot be won.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _games(text: str) -> list[str]:
    return [name for name in game_names() if name.startswith(text)]


GameName = Annotated[
    str,
    typer.Argument(
        help="A game (josephine), a reading of it (signora@wraps), or a game file (my.yaml).",
        autocompletion=_games,
        metavar="GAME",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]
SeedNumber = Annotated[int, typer.Option("--seed", min=0, help="The number of the (first) deal.")]
Dealer = Annotated[str, typer.Option(help="Who deals: dealproof, or pysolfc for its numbers.")]
Nodes = Annotated[
    int, typer.Option(min=1, max=10**15, help="The most positions to make for a deal.")
]
Memory = Annotated[
    int, typer.Option(min=1, max=10**6, help="Megabytes for the table of positions.")
]
Workers = Annotated[int, typer.Option(min=1, max=64, help="Threads; the answers do not change.")]
StorePath = Annotated[Path, typer.Option("--store", help="Where decisions are kept.")]


def _print_json(record: Any) -> None:
    print(json.dumps(record, ensure_ascii=True, separators=(",", ":")))


@app.command()
def check(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            help="Games; all of them without a name.", autocompletion=_games, metavar="GAME"
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All games (so without a name).")] = False,
    as_json: AsJson = False,
) -> None:
    """Check the documents of games with Z3: contradictions, false examples, dead clauses.

    One finding a line; exit code 1 if one of them is an error.
    """
    from reports.terminal import say
    from verify.smt.check import check_document

    if games and every:
        raise typer.BadParameter("name games, or write --all")
    found = []
    for name in games or game_names():
        game = load_game(name)
        if game.document is None:
            say(f"{game.key}: the game names no document, so there is nothing to check")
        else:
            found += check_document(game.document, game.ruleset)
    for finding in found:
        if as_json:
            _print_json(finding.to_json())
        else:
            print(finding)
    errors = sum(finding.severity == "error" for finding in found)
    raise typer.Exit(Exit.ANSWER_IS_NO if errors else Exit.AS_ASKED)


def _seed(dealer: str, number: int) -> Any:
    from generator.shuffles import Seed

    return Seed.parse(f"{dealer}:{number}")


@app.command()
def deal(
    game: GameName, seed: SeedNumber, dealer: Dealer = "dealproof", as_json: AsJson = False
) -> None:
    """Show the deal of a seed: the same cards on every platform."""
    from generator.dealers import deal as deal_of
    from verify.rules import rules_of

    loaded = load_game(game)
    named = _seed(dealer, seed)
    position = deal_of(rules_of(loaded.ruleset, game=loaded.key), named)
    if as_json:
        _print_json(
            {
                "game": loaded.key,
                "ruleset_sha256": loaded.ruleset.digest(),
                "seed": str(named),
                "deal": position.to_json(),
            }
        )
    else:
        print(position)


@app.command()
def solve(
    game: GameName,
    file: Annotated[
        str | None,
        typer.Argument(help="A file with a deal in JSON; - is standard input.", metavar="FILE"),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The number of the deal.")] = None,
    dealer: Dealer = "dealproof",
    nodes: Nodes = 3_000_000,
    memory: Memory = 256,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.01, max=10**6, help="A second limit, which depends on the machine."),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Decide one deal: solvable with a winning line, unsolvable, or undecided.

    Exit code 0 for solvable, 1 for unsolvable, 3 for undecided.
    """
    from generator.proving import solve as solve_deal
    from verify.rules import rules_of
    from verify.search.decide import Limits

    if (file is None) == (seed is None):
        raise typer.BadParameter("name a deal: either --seed or a file (or -)")
    loaded = load_game(game)
    rules = rules_of(loaded.ruleset, game=loaded.key)
    named, position = None, None
    if seed is not None:
        from generator.dealers import deal as deal_of

        named = _seed(dealer, seed)
        position = deal_of(rules, named)
    else:
        position = _read_deal(str(file), rules)
    _warm_up(quiet=quiet)
    limits = Limits(nodes=nodes, megabytes=memory, seconds=seconds)
    decision = solve_deal(rules, position, limits=limits)
    certificate = decision.certificate
    if as_json:
        _print_json(
            {
                "game": loaded.key,
                "ruleset_sha256": loaded.ruleset.digest(),
                "seed": None if named is None else str(named),
                "verdict": decision.verdict.value,
                "by": decision.by,
                "effort": decision.effort.to_json(),
                "deal": position.to_json(),
                "certificate": None if certificate is None else certificate.to_json(),
            }
        )
    else:
        from reports.terminal import decision_text

        print(decision_text(rules, position, decision))
    codes = {"solvable": Exit.AS_ASKED, "unsolvable": Exit.ANSWER_IS_NO}
    raise typer.Exit(codes.get(decision.verdict.value, Exit.UNDECIDED))


def _read_deal(file: str, rules: Any) -> Any:
    from generator.packs import decoded, read_object, read_text
    from verify.moves import start_of
    from verify.position import read_position

    place = Place(file="standard input" if file == "-" else file)
    if file == "-":
        text = decoded(b"" if sys.stdin is None else sys.stdin.buffer.read(), place)
    else:
        text = read_text(Path(file))
    try:
        tree = read_object(text, place)
        position = read_position(tree.get("deal", tree), pack=rules.pack, layout=rules.layout)
        return start_of(rules, position)
    except InputError as error:
        raise error.at(place) from error


def _warm_up(*, quiet: bool) -> None:
    from reports.terminal import say
    from verify.search.warm import is_compiled, warm_up

    if not quiet and not is_compiled():
        say("Compiling the search (once, about half a minute) ...")
    warm_up()


@app.command()
def generate(
    game: GameName,
    out: Annotated[Path, typer.Option(help="The pack to write.")],
    solvable: Annotated[int, typer.Option(min=0, help="How many solvable deals.")] = 10,
    unsolvable: Annotated[int, typer.Option(min=0, help="How many unsolvable deals.")] = 0,
    seed: SeedNumber = 1,
    dealer: Dealer = "dealproof",
    numbers: Annotated[
        Path | None,
        typer.Option(help="Also write a plain list of PySolFC's numbers (--dealer pysolfc)."),
    ] = None,
    nodes: Nodes = 3_000_000,
    memory: Memory = 256,
    workers: Workers = 2,
    store: StorePath = STORE,
    quiet: Quiet = False,
) -> None:
    """Make a pack of proved deals, one JSON object a line after a manifest.

    Interrupted runs go on where they stopped, and end in the same bytes.
    """
    from generator.make import Order
    from verify.search.decide import Limits

    loaded = load_game(game)
    order = Order(
        solvable=solvable,
        unsolvable=unsolvable,
        first=_seed(dealer, seed),
        limits=Limits(nodes=nodes, megabytes=memory),
        workers=workers,
    )
    _make(loaded, order, out=out, numbers=numbers, store=store, quiet=quiet)


def _make(
    game: Game, order: Any, *, out: Path, numbers: Path | None, store: Path, quiet: bool
) -> Any:
    from generator.make import make_pack
    from generator.packs import require_writable, write_atomically, write_pack
    from generator.pysolfc import number_list
    from generator.store import Store
    from reports.terminal import Watch, say

    # What cannot be written or claimed is refused before anything is searched.
    require_writable(out)
    if numbers is not None:
        number_list(game, order.first, [])
        require_writable(numbers)
        if numbers.resolve() == out.resolve():
            raise typer.BadParameter("--out and --numbers name the same file")
    _warm_up(quiet=quiet)
    decisions = Store(store)
    try:
        with Watch(game.key, order.solvable, quiet=quiet) as watch:
            made = make_pack(
                game,
                order,
                store=decisions,
                met=watch.met,
                built=lambda count: None if quiet else watch.built(count, order.unsolvable),
            )
    finally:
        decisions.close()
    write_pack(out, made.head, made.deals)
    if numbers is not None:
        write_atomically(numbers, number_list(game, order.first, made.deals))
    if not quiet:
        counts = ", ".join(f"{number} {verdict}" for verdict, number in made.head["deals"].items())
        say(f"{game.key}: {out}: {counts}, each accepted by the checker")
    return made


@app.command()
def recheck(
    files: Annotated[list[Path], typer.Argument(help="Packs.", metavar="FILE")],
    as_json: AsJson = False,
) -> None:
    """Check every certificate of packs again, with the independent checker alone.

    Exit code 1 if one is rejected, 3 if one is an exhaustive search, which nobody can check.
    """
    from generator.packs import read_pack
    from generator.packs import recheck as recheck_pack
    from reports.terminal import recheck_summary, recheck_text

    code = Exit.AS_ASKED
    for file in files:
        pack = read_pack(file)
        lines = []
        for line in recheck_pack(pack):
            lines.append(line)
            if as_json:
                _print_json({"file": str(file), **line.to_json()})
            elif line.accepted is not True:
                print(recheck_text(file, line))
        if not as_json:
            print(recheck_summary(file, lines))
        if any(line.accepted is False for line in lines):
            code = Exit.ANSWER_IS_NO
        elif code is Exit.AS_ASKED and any(line.accepted is None for line in lines):
            code = Exit.UNDECIDED
    raise typer.Exit(code)


@app.command()
def report(
    packs: Annotated[list[Path], typer.Argument(help="Packs of the games.", metavar="PACK")],
    out: Annotated[Path, typer.Option(help="The folder for the pages.")] = Path("out/report"),
    games: Annotated[
        list[str] | None,
        typer.Option("--game", help="The file of a game that dealproof does not ship (my.yaml)."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write pages from packs: rules with citations, findings, deals to step through."""
    from generator.packs import load_pack

    own = {game.key: game for game in map(load_game, games or ())}
    loaded = [(pack, *load_pack(pack, own)) for pack in packs]
    pages = [_page(game, deals, head, pack) for pack, game, deals, head in loaded]
    _write_pages(pages, out, quiet=quiet)


def _page(game: Game, deals: Iterable[Any], head: Any, pack: Path) -> Any:
    from reports.assembly import page_of
    from verify.smt.check import check_document

    findings = [] if game.document is None else check_document(game.document, game.ruleset)
    return page_of(game, findings, deals, head, pack=pack.name)


def _write_pages(pages: list[Any], out: Path, *, quiet: bool) -> None:
    from reports.pages import write_reports
    from reports.terminal import say

    written = write_reports(pages, out)
    if not quiet:
        say(f"{len(written)} pages in {out}")


@app.command()
def run(
    out: Annotated[Path, typer.Option(help="The folder for packs and pages.")] = Path("out"),
    solvable: Annotated[int, typer.Option(min=0, help="Solvable deals a game.")] = 10,
    unsolvable: Annotated[int, typer.Option(min=0, help="Unsolvable deals a game.")] = 3,
    seed: SeedNumber = 1,
    nodes: Nodes = 3_000_000,
    workers: Workers = 2,
    store: StorePath = STORE,
    quiet: Quiet = False,
) -> None:
    """All of it: check the documents, make and recheck a pack a game, write the pages."""
    from generator.make import Order
    from generator.packs import require_accepted
    from generator.pysolfc import has_list
    from reports.terminal import run_summary, say
    from verify.search.decide import Limits

    limits = Limits(nodes=nodes)
    pages = []
    lines = []
    for name in game_names():
        game = load_game(name)
        pack = out / "packs" / f"{name}.jsonl"
        order = Order(
            solvable=solvable,
            unsolvable=unsolvable,
            first=_seed("dealproof", seed),
            limits=limits,
            workers=workers,
        )
        made = _make(game, order, out=pack, numbers=None, store=store, quiet=quiet)
        require_accepted(pack)
        page = _page(game, made.deals, made.head, pack)
        pages.append(page)
        lines.append(run_summary(page, pack))
        if has_list(game):
            first = _seed("pysolfc", PYSOLFC_FIRST)
            numbers = out / "packs" / f"{name}.pysolfc.txt"
            order = Order(
                solvable=(solvable + 1) // 2,
                unsolvable=0,
                first=first,
                limits=limits,
                workers=workers,
            )
            listed = out / "packs" / f"{name}.pysolfc.jsonl"
            _make(game, order, out=listed, numbers=numbers, store=store, quiet=quiet)
            require_accepted(listed)
    _write_pages(pages, out / "report", quiet=True)
    for text in lines:
        print(text)
    print(f"Packs:  {out / 'packs'} (check them again: dealproof recheck {out / 'packs'}/*.jsonl)")
    print(f"Report: {out / 'report' / 'index.html'}")
    if not quiet:
        say("Done.")


PYSOLFC_FIRST = 100_000
"""The first PySolFC number that ``run`` looks at."""


@app.command()
def schema(
    write: Annotated[bool, typer.Option("--write", help="Write the schema files.")] = False,
) -> None:
    """Print the JSON Schemas of game and document files, or write them beside the games."""
    from spec.schema import schemas, write_schemas

    if write:
        write_schemas()
    else:
        _print_json(schemas())


def main() -> None:
    """Run the command line; bad input gives a message and no traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    try:
        code = app(arguments, standalone_mode=False, prog_name="dealproof") or Exit.AS_ASKED
        if sys.stdout is not None:
            sys.stdout.flush()
    except typer.TyperException as error:
        cast(Any, error).show()
        return Exit.BAD_INPUT
    except (InputError, InputErrors, Unsupported) as error:
        print(error, file=sys.stderr)
        return Exit.BAD_INPUT
    except (BrokenPipeError, SystemExit) as error:
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        # Whoever read our output has had enough; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.AS_ASKED
    except Exception as error:
        return _told(error)
    if code == Exit.INTERRUPTED:
        kept = arguments[:1] in (["generate"], ["run"])
        print(
            "interrupted; the same command goes on where it stopped" if kept else "interrupted",
            file=sys.stderr,
        )
    return int(code)


def _told(error: Exception) -> Exit:
    """The exit code for what went wrong on the way; a message, with a traceback if it is ours."""
    if isinstance(error, MemoryError):
        print(f"not enough memory: {error}; allow less with --memory", file=sys.stderr)
        return Exit.BAD_INPUT
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        print(f"cannot write: {error.strerror}", file=sys.stderr)
        return Exit.BAD_INPUT
    traceback.print_exception(error)
    print("this is a fault of dealproof, not of your input", file=sys.stderr)
    return Exit.OUR_FAULT


if __name__ == "__main__":
    main()
