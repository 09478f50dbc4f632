from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pydantic import ValidationError

from spec.errors import InputError
from spec.game import GAMES
from spec.parameters import PARAMETERS, Piles
from spec.ruleset import GROUPS, Ruleset, leaf_paths, tree_of
from spec.schema import SCHEMAS, schema_text, schemas, write_schemas
from spec.statement import DOCUMENTS, KINDS
from spec.yamlfile import load_yaml, parse_yaml
from tests.spec.samples import BROKEN, DOCUMENT, GAME, Broken

FOLDERS = {"game": GAMES, "document": DOCUMENTS}
SHIPPED = [
    pytest.param(kind, path, id=path.stem)
    for kind, folder in FOLDERS.items()
    for path in sorted(folder.glob("*.yaml"))
]
CHECKS = {kind: Draft7Validator(schemas()[f"{kind}.schema.json"]) for kind in FOLDERS}


def seen(kind: str, value: object) -> list[str]:
    """What an editor marks."""
    return [error.message for error in CHECKS[kind].iter_errors(value)]


def game_with(path: str, value: Any) -> dict[str, Any]:
    """The smallest game file that states one value."""
    rules = {path: {"is": value, "source": "me"}}
    return {"game": "x", "title": "X", "about": "x", "rules": rules}


def test_the_schemas_are_valid_draft_7() -> None:
    for schema in schemas().values():
        Draft7Validator.check_schema(schema)
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"


def test_draft_7_alone_is_spoken() -> None:
    """What came after draft 7 is ignored by editors, so it would check nothing."""
    later = {"$defs", "prefixItems", "unevaluatedProperties", "dependentRequired", "$anchor"}
    for schema in schemas().values():
        assert keywords(schema) & later == set()
        assert "#/$defs" not in schema_text(schema)
        for node in nodes(schema):
            assert "$ref" not in node or len(node) == 1


def nodes(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [node for item in schema for node in nodes(item)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(node for value in schema.values() for node in nodes(value))]


def keywords(schema: Any) -> set[str]:
    return {key for node in nodes(schema) for key in node}


def test_every_reference_leads_somewhere() -> None:
    for schema in schemas().values():
        defined = {f"#/definitions/{name}" for name in schema["definitions"]}
        used = {node["$ref"] for node in nodes(schema) if isinstance(node.get("$ref"), str)}
        assert used == defined


def test_the_committed_schemas_are_the_generated_ones() -> None:
    found = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*")}
    wanted = {name: schema_text(schema) for name, schema in schemas().items()}
    assert found == wanted, "the schemas are out of date: make schema"


def test_writing_twice_writes_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "schemas"
    first = [path.read_bytes() for path in write_schemas(folder)]
    assert [path.read_bytes() for path in write_schemas(folder)] == first
    assert [path.name for path in write_schemas(folder)] == list(schemas())
    assert all(data.endswith(b"}\n") for data in first)


@pytest.mark.parametrize(("kind", "path"), SHIPPED)
def test_every_shipped_file_fits_and_names_its_schema(kind: str, path: Path) -> None:
    assert seen(kind, load_yaml(path).value) == []
    first, _, _ = path.read_text(encoding="utf-8").partition("\n")
    mark, _, schema = first.partition("$schema=")
    assert mark == "# yaml-language-server: "
    assert (path.parent / schema).resolve() == SCHEMAS / f"{kind}.schema.json"


def test_the_samples_fit() -> None:
    assert seen("game", parse_yaml(GAME, file="f").value) == []
    assert seen("document", parse_yaml(DOCUMENT, file="f").value) == []


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_an_editor_sees_what_one_value_alone_tells(broken: Broken) -> None:
    try:
        value = parse_yaml(broken.text, file="f").value
    except InputError:
        assert not broken.schema
        return
    found = seen("document" if broken.document else "game", value)
    assert bool(found) == broken.schema, found


# The rules of a game


def test_every_path_is_offered_with_its_question() -> None:
    definitions = schemas()["game.schema.json"]["definitions"]
    assert list(definitions["Rules"]["properties"]) == list(leaf_paths())
    for path, info in leaf_paths().items():
        rule = definitions[path]
        assert rule["description"] == info.description
        assert rule["description"].count("?") >= 1
        assert set(rule["properties"]) == {"is", "cite", "ruling", "source"}


def test_groups_may_be_numbered_and_nothing_else() -> None:
    for path in leaf_paths():
        name, _, rest = path.partition(".")
        numbered = [f"{name}[{number}].{rest}" for number in ("1", "12")]
        refused = [f"{name}[{number}].{rest}" for number in ("0", "01", "x", "100", "")]
        refused += [f"{path}x", f"x{path}", path.replace(".", "_")]
        for written in (*numbered, *refused):
            fits = seen("game", game_with(written, None)) == []
            assert fits == (name in GROUPS and written in numbered)
        assert seen("game", game_with(path, None)) == []


WORDS = sorted(
    {
        word
        for node in nodes(schemas()["game.schema.json"]["definitions"])
        for word in (*node.get("enum", ()), node.get("const"))
        if isinstance(word, str)
    }
)
SCALARS = st.one_of(
    st.sampled_from([*WORDS, "kings", "t", "10", "01", ""]),
    st.integers(-1, 14),
    st.sampled_from([63, 64, 65, 207, 208, 209, 10**30]),
    st.booleans(),
    st.just(1.5),
)
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.dictionaries(st.sampled_from(["C", "H", "X", "c", "CC"]), SCALARS, max_size=2),
)


def loads(path: str, value: Any) -> bool:
    """Whether the loader takes the value, whatever else the group would need."""
    try:
        Ruleset.model_validate(tree_of({path: value}))
    except ValidationError as error:
        return all(found["type"] == "missing" for found in error.errors())
    return True


@given(path=st.sampled_from(sorted(leaf_paths())), value=VALUES)
def test_an_editor_takes_the_values_that_the_loader_takes(path: str, value: Any) -> None:
    assert (seen("game", game_with(path, value)) == []) == loads(path, value)


@pytest.mark.parametrize("path", leaf_paths())
def test_an_editor_takes_every_word_that_the_loader_takes(path: str) -> None:
    for value in (*WORDS, *range(-1, 15), True, False, [], ["waste"], ["K"], [2], {"C": "black"}):
        assert (seen("game", game_with(path, value)) == []) == loads(path, value), value


@pytest.mark.parametrize("path", leaf_paths())
def test_the_default_that_is_shown_is_the_default(path: str) -> None:
    shown = schemas()["game.schema.json"]["definitions"][path]["properties"]["is"]
    if "default" in shown:
        assert shown["default"] == leaf_paths()[path].default
    else:
        default = leaf_paths()[path].default
        assert default is None or leaf_paths()[path].is_required() or path == "pack.suits"


# The statements of a document


def test_every_question_may_be_answered_in_a_document() -> None:
    answers = schemas()["document.schema.json"]["definitions"]["Answers"]
    stated = [path for path, one in PARAMETERS.items() if not isinstance(one.domain, Piles)]
    assert list(answers["properties"]) == stated
    for path in stated:
        assert answers["properties"][path]["description"] == PARAMETERS[path].question


@given(path=st.sampled_from(sorted(PARAMETERS)), value=SCALARS)
def test_an_editor_takes_the_answers_that_the_loader_takes(path: str, value: Any) -> None:
    document = parse_yaml(DOCUMENT, file="f").value
    assert isinstance(document, dict)
    statement = {"id": "A1", "at": [1], "text": "t", "says": {path: value}}
    try:
        PARAMETERS[path].read(value)
    except InputError:
        takes = False
    else:
        takes = not isinstance(value, (bool, float))
    assert (seen("document", document | {"statements": [statement]}) == []) == takes


@pytest.mark.parametrize("kind", KINDS)
def test_a_statement_has_one_kind(kind: str) -> None:
    document = json.loads(json.dumps(parse_yaml(DOCUMENT, file="f").value))
    given = {
        "says": {"pack.decks": 1},
        "move": {"may": "waste"},
        "fill": {"by": "player", "from": "waste"},
        "example": {"lift": ["4H"]},
        "fits": {"onto": "black 8", "in": "tableau", "exactly": "red 7"},
        "like": {"game": "a", "as": "b"},
        "varies": {"pack.decks": [1, 2]},
        "remark": "r",
    }
    statement = {"id": "A1", "at": [1], "text": "t", kind: given[kind]}
    assert seen("document", document | {"statements": [statement]}) == []
    others = {other: given[other] for other in KINDS if other != kind}
    for other, value in others.items():
        assert seen("document", document | {"statements": [statement | {other: value}]})
        assert not seen("document", document | {"statements": [statement | {other: None}]})
