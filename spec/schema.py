"""JSON Schemas of the two kinds of YAML file, so that editors complete and check while one types.

Draft 7, which the YAML language server reads. The loader decides: a schema sees one value at a
time and knows nothing of statements, sums and lines.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

from spec.cards import RANKS
from spec.gamefile import GameFile
from spec.parameters import PARAMETERS, Piles
from spec.ruleset import GROUPS, Ruleset, leaf_paths
from spec.statement import KINDS, DocumentFile

SCHEMAS = Path(__file__).parent / "schemas"
"""The folder of the schemas; line 1 of every YAML file names one of them."""

DRAFT = "http://json-schema.org/draft-07/schema#"

Schema: TypeAlias = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """The schema of each kind of file by its file name; the same in every run.

    What a schema refuses the loader refuses as well; not the other way round.
    """
    return {"document.schema.json": _document_schema(), "game.schema.json": _game_schema()}


def schema_text(schema: Schema) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def write_schemas(folder: Path = SCHEMAS) -> list[Path]:
    """The files of the schemas, written to ``folder``, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, schema in schemas().items():
        path = folder / name
        path.write_text(schema_text(schema), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def _game_schema() -> Schema:
    root = _draft_7(GameFile.model_json_schema())
    definitions = root["definitions"]
    rule = definitions.pop("Rule")
    ruleset = _draft_7(Ruleset.model_json_schema())
    leaves = {path: _leaf(path, ruleset) for path in leaf_paths()}
    definitions["Rules"] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {path: {"$ref": f"#/definitions/{path}"} for path in leaves},
        "patternProperties": {
            _further_group(path): {"$ref": f"#/definitions/{path}"}
            for path in leaves
            if path.partition(".")[0] in GROUPS
        },
    }
    support = {name: node for name, node in rule["properties"].items() if name != "is"}
    definitions |= support | {"supported": {"anyOf": _SUPPORT}}
    definitions |= {path: _rule(leaf, [*support]) for path, leaf in leaves.items()}
    for part in (root, definitions["Reading"]):
        part["properties"]["rules"] = _rules(part["properties"]["rules"])
    return _finished(root, definitions, "A game of dealproof")


def _rules(rules: Schema) -> Schema:
    kept = {key: rules[key] for key in ("description", "minProperties") if key in rules}
    return kept | {"allOf": [{"$ref": "#/definitions/Rules"}]}


def _further_group(path: str) -> str:
    """The pattern of ``tableau[1].deal`` for ``tableau.deal``."""
    name, _, rest = path.partition(".")
    return rf"^{name}\[[1-9][0-9]?\]\.{rest.replace('.', chr(92) + '.')}$"


def _leaf(path: str, root: Schema) -> Schema:
    """The schema of the value at ``path``, with its question and its default."""
    node = root
    for step in path.split("."):
        node = dict(_only_part(node, root)["properties"][step])
    return node


def _only_part(node: Schema, root: Schema) -> Schema:
    """The part of a ruleset that a schema leads to: by itself, as an item, or as an option."""
    while "properties" not in node:
        reference = node.get("$ref")
        if reference is not None:
            node = root["definitions"][reference.rpartition("/")[2]]
        elif "items" in node:
            node = node["items"]
        else:
            options = node.get("anyOf") or node["allOf"]
            node = next(option for option in options if option.get("type") != "null")
    return node


_SUPPORT = [
    {"required": ["cite"], "properties": {"cite": {"minItems": 1}}},
    {"required": ["ruling"], "properties": {"ruling": {"type": "string"}}},
    {"required": ["source"], "properties": {"source": {"type": "string", "minLength": 1}}},
]
"""A value rests on one of these at least."""


def _rule(leaf: Schema, support: list[str]) -> Schema:
    """The schema of a rule whose value has the schema ``leaf``."""
    value = {key: leaf[key] for key in leaf if key not in ("description", "default")}
    nothing = {"type": "null"}
    options = value["anyOf"] if set(value) == {"anyOf"} else [value]
    options = options if nothing in options else [*options, nothing]
    shown = {"default": leaf["default"]} if "default" in leaf else {}
    described = {"description": f"{leaf['description']} null returns to the default."}
    return {
        "description": leaf["description"],
        "type": "object",
        "additionalProperties": False,
        "properties": {"is": described | shown | {"anyOf": options}}
        | {name: {"$ref": f"#/definitions/{name}"} for name in support},
        "required": ["is"],
        "allOf": [{"$ref": "#/definitions/supported"}],
    }


def _document_schema() -> Schema:
    root = _draft_7(DocumentFile.model_json_schema())
    definitions = root["definitions"]
    for name in ("Reading", "Statement"):
        part = definitions[name]
        answers = part["properties"]["says"]["anyOf"][0]
        definitions["Answers"] = _answers(answers)
        for kind in ("says", "varies"):
            description = part["properties"][kind]["description"]
            options = [{"$ref": "#/definitions/Answers"}, {"type": "null"}]
            part["properties"][kind] = {"description": description, "anyOf": options}
        part["oneOf"] = [
            {"required": [kind], "properties": {kind: {"not": {"type": "null"}}}} for kind in KINDS
        ]
    return _finished(root, definitions, "A document of dealproof, transcribed")


def _answers(answers: Schema) -> Schema:
    """The answers that ``says`` takes; kinds of pile are stated with ``move`` and ``fill``."""
    properties = {
        path: node
        for path, node in answers["properties"].items()
        if not isinstance(PARAMETERS[path].domain, Piles)
    }
    return answers | {"properties": properties}


def _finished(root: Schema, definitions: Schema, title: str) -> Schema:
    """The whole schema, its parts in a fixed order."""
    rest = {key: node for key, node in root.items() if key not in ("definitions", "title")}
    return {"$schema": DRAFT, "title": title, **rest, "definitions": definitions}


def _draft_7(node: Any) -> Any:
    """A schema of pydantic in the words of draft 7, and no looser than the loader.

    Titles are left out: they repeat the keys.
    """
    if isinstance(node, list):
        return [_draft_7(item) for item in node]
    if not isinstance(node, dict):
        return node
    changed: Schema = {}
    for key, value in node.items():
        if key in ("properties", "patternProperties", "$defs"):
            inner = {name: _draft_7(part) for name, part in value.items()}
            changed[key.replace("$defs", "definitions")] = inner
        elif key == "$ref":
            changed[key] = value.replace("#/$defs/", "#/definitions/")
        elif key == "description":
            changed[key] = " ".join(value.replace("``", "").split())
        elif key == "enum" and set(RANKS) <= set(map(str, value)):
            changed[key] = list(dict.fromkeys([*value, "10", *range(2, 11)]))
        elif key != "title" and not _is_noise(key, value):
            changed[key] = _draft_7(value)
    if "patternProperties" in changed:
        changed.setdefault("additionalProperties", False)
    if "$ref" in changed and len(changed) > 1:
        # Draft 7 looks at nothing beside a reference.
        changed["allOf"] = [{"$ref": changed.pop("$ref")}]
    return changed


def _is_noise(key: str, value: Any) -> bool:
    """Whether it is a default that says no more than that nothing need be written."""
    return key == "default" and (value is None or isinstance(value, (dict, list)))
