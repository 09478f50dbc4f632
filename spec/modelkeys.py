"""Which keys a model allows at a place: what a complaint about an unknown key offers instead."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, RootModel, Tag
from pydantic.fields import FieldInfo


class Step(NamedTuple):
    """One step of where pydantic was: into a key or an item, or into an arm of a union."""

    name: str | int
    arm: bool = False


class _Arm(NamedTuple):
    """A type that is no union, with the names by which pydantic may call it in a union."""

    type: Any
    tags: tuple[str, ...] = ()


def allowed_keys(model: type[BaseModel], trail: Sequence[Step]) -> tuple[str, ...]:
    """The keys of the mapping that ``trail`` leads to, in the order of the model.

    Keys are given by their alias. Where several models are possible, the keys of all of them;
    where the place is no model or dataclass, none.
    """
    arms = _arms(model)
    for step in trail:
        arms = _narrowed(arms, step.name) if step.arm else _children(arms, step.name)
    keys = (key for arm in arms for key in _fields(arm.type))
    return tuple(dict.fromkeys(keys))


def _arms(annotation: Any, tags: tuple[str, ...] = ()) -> list[_Arm]:
    if get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        named = (item.tag for item in metadata if isinstance(item, Tag))
        return _arms(inner, (*tags, *named))
    if get_origin(annotation) in {Union, types.UnionType}:
        return [arm for member in get_args(annotation) for arm in _arms(member, tags)]
    if hasattr(annotation, "__value__"):
        return _arms(annotation.__value__, tags)
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        return _arms(annotation.model_fields["root"].annotation, tags)
    return [_Arm(annotation, tags)]


def _narrowed(arms: list[_Arm], label: str | int) -> list[_Arm]:
    return [arm for arm in arms if _is_called(arm, str(label))] or arms


def _is_called(arm: _Arm, label: str) -> bool:
    name = getattr(arm.type, "__name__", "")
    if label in arm.tags or label == name or label.endswith(f", {name}]"):
        return True
    return any(
        get_origin(annotation) is Literal and label in map(str, get_args(annotation))
        for annotation in _fields(arm.type).values()
    )


def _children(arms: list[_Arm], name: str | int) -> list[_Arm]:
    return [child for arm in arms for child in _children_of(arm.type, name)]


def _children_of(kind: Any, name: str | int) -> list[_Arm]:
    fields = _fields(kind)
    if name in fields:
        return _arms(fields[str(name)])
    origin, arguments = get_origin(kind), get_args(kind)
    if not isinstance(origin, type) or not arguments:
        return []
    if issubclass(origin, Mapping):
        return _arms(arguments[1])
    if issubclass(origin, tuple) and Ellipsis not in arguments:
        known = isinstance(name, int) and name < len(arguments)
        return _arms(arguments[int(name)]) if known else []
    return _arms(arguments[0]) if issubclass(origin, Collection) else []


def _fields(kind: Any) -> dict[str, Any]:
    """The annotation of each field by its key; empty for what is no model or dataclass."""
    if not isinstance(kind, type):
        return {}
    if issubclass(kind, BaseModel):
        return {_key(name, info): info.annotation for name, info in kind.model_fields.items()}
    if dataclasses.is_dataclass(kind):
        try:
            return get_type_hints(kind, include_extras=True)
        except NameError:
            return dict.fromkeys((field.name for field in dataclasses.fields(kind)), Any)
    return {}


def _key(name: str, info: FieldInfo) -> str:
    alias = info.validation_alias
    return alias if isinstance(alias, str) else info.alias or name
