"""The implementation of `borrow` for code that numba compiles: it makes an array by its address and shape, of a type that has no owner.

Contiguous arrays are borrowed, alone or in tuples with numbers; nothing else is. An index is a whole number, a slice without a step, or a
tuple of these with a slice at most at its end. As in numpy, an index below 0 counts from the end, fewer indices than
dimensions return a part of the array, and a number that is assigned to a part fills it.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numba
from llvmlite import ir  # type: ignore[import-untyped]  # it has no types
from numba.core.errors import TypingError
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, register_model

from oddsmith.odds.borrowing import borrow

Value: TypeAlias = Any
"""Types and values of numba and llvmlite, and what compiled code computes with: Python has no types for them."""
Code: TypeAlias = Callable[..., Any]

types: Value = numba.types
struct_model: Value = models.StructModel


class BorrowedArray(types.Type):  # type: ignore[misc]  # as above
    """The type of a borrowed array: of its numbers, and how many dimensions it has."""

    def __init__(self, dtype: Value, ndim: int) -> None:
        self.dtype = dtype
        self.ndim = ndim
        super().__init__(name=f"BorrowedArray({dtype}, {ndim})")


@register_model(BorrowedArray)
class _Fields(struct_model):  # type: ignore[misc]  # as above
    def __init__(self, manager: Value, kind: BorrowedArray) -> None:
        shape = types.UniTuple(types.intp, kind.ndim)
        super().__init__(manager, kind, [("data", types.CPointer(kind.dtype)), ("shape", shape)])


make_attribute_wrapper(BorrowedArray, "data", "data")
make_attribute_wrapper(BorrowedArray, "shape", "shape")


# --- from an array to a borrowed one ---------------------------------------------------------------------------------


@overload(borrow)
def _borrow(arrays: Value) -> Code:
    del arrays

    def code(arrays: Value) -> Value:
        return _borrowed(arrays)

    return code


def _type_borrowed(typing: Value, arrays: Value) -> tuple[Value, Code]:
    """Return the signature of `_borrowed`, and what emits it."""
    del typing

    def emit(context: Value, builder: Value, signature: Value, given: Value) -> Value:
        return _emit_borrowed(context, builder, signature.args[0], given[0])

    return _borrowed_type(arrays)(arrays), emit


_borrowed: Value = intrinsic(_type_borrowed)


def _borrowed_type(kind: Value) -> Value:
    """Return the type with borrowed arrays in place of arrays; refuse what cannot be borrowed."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        return BorrowedArray(kind.dtype, kind.ndim)
    if isinstance(kind, types.BaseTuple):
        parts = [_borrowed_type(part) for part in kind.types]
        named = [kind.instance_class] if isinstance(kind, types.BaseNamedTuple) else []
        return types.BaseTuple.from_types(parts, *named)
    if isinstance(kind, types.Number | types.Boolean | BorrowedArray):
        return kind
    raise TypingError(f"contiguous arrays and numbers are borrowed, not {kind}")


def _emit_borrowed(context: Value, builder: Value, kind: Value, value: Value) -> Value:
    """Emit the value with borrowed arrays in place of arrays."""
    borrowed = _borrowed_type(kind)
    if borrowed == kind:
        return value
    if isinstance(kind, types.Array):
        fields = context.data_model_manager[kind]
        places = [fields.get_field_position(name) for name in ("data", "shape")]
        return _emit_struct(
            context, builder, borrowed, [builder.extract_value(value, place) for place in places]
        )
    parts = [
        _emit_borrowed(context, builder, part, builder.extract_value(value, place))
        for place, part in enumerate(kind.types)
    ]
    return _emit_struct(context, builder, borrowed, parts)


def _emit_struct(context: Value, builder: Value, kind: Value, parts: Sequence[Value]) -> Value:
    made = ir.Constant(context.get_value_type(kind), ir.Undefined)
    for place, part in enumerate(parts):
        made = builder.insert_value(made, part, place)
    return made


# --- lengths and parts -----------------------------------------------------------------------------------------------


@overload(len)
def _length(array: Value) -> Code | None:
    if not isinstance(array, BorrowedArray):
        return None

    def code(array: Value) -> Value:
        return array.shape[0]

    return code


def _size(shape: Value) -> Value:
    """Return how many numbers an array of a shape has; only for compiled code."""
    raise NotImplementedError


@overload(_size)
def _size_code(shape: Value) -> Code:
    def none(shape: Value) -> Value:  # noqa: ARG001  numba compares the names
        return 1

    def some(shape: Value) -> Value:
        return shape[0] * _size(shape[1:])

    return some if len(shape) else none


def _type_part(typing: Value, array: Value, first: Value, shape: Value) -> tuple[Value, Code]:
    """Return the signature of `_part`, and what emits it."""
    del typing, first
    kind = BorrowedArray(array.dtype, len(shape))

    def emit(context: Value, builder: Value, signature: Value, given: Value) -> Value:
        del signature
        data = builder.gep(builder.extract_value(given[0], 0), [given[1]])
        return _emit_struct(context, builder, kind, [data, given[2]])

    return kind(array, types.intp, shape), emit


_part: Value = intrinsic(_type_part)
"""Returns the part of an array that begins with its number `first`, and has a shape."""


# --- indices ---------------------------------------------------------------------------------------------------------


@overload(operator.getitem)
def _get(array: Value, place: Value) -> Code | None:
    """Return the code that reads a number, or returns a part."""

    def number(array: Value, place: Value) -> Value:
        return array.data[place if place >= 0 else place + array.shape[0]]

    def row(array: Value, place: Value) -> Value:
        rest = array.shape[1:]
        return _part(array, (place if place >= 0 else place + array.shape[0]) * _size(rest), rest)

    def rows(array: Value, place: Value) -> Value:
        rest = array.shape[1:]
        start, stop, _ = place.indices(array.shape[0])
        return _part(array, start * _size(rest), (max(stop - start, 0), *rest))

    def last(array: Value, place: Value) -> Value:
        return array[place[0]]

    def first(array: Value, place: Value) -> Value:
        return array[place[0]][place[1:]]

    if not isinstance(array, BorrowedArray):
        return None
    match place:
        case types.Integer():
            return number if array.ndim == 1 else row
        case types.SliceType() if not place.has_step:
            return rows
        case types.BaseTuple():
            return last if len(place) == 1 else first
        case _:
            return None


@overload(operator.setitem)
def _set(array: Value, place: Value, number: Value) -> Code | None:
    """Return the code that writes a number, or fills a part with it."""

    def write(array: Value, place: Value, number: Value) -> None:
        array.data[place if place >= 0 else place + array.shape[0]] = number

    def fill(array: Value, place: Value, number: Value) -> None:
        part = array[place]
        for at in range(_size(part.shape)):
            part.data[at] = number

    def last(array: Value, place: Value, number: Value) -> None:
        array[place[0]] = number

    def first(array: Value, place: Value, number: Value) -> None:
        array[place[0]][place[1:]] = number

    if not (isinstance(array, BorrowedArray) and isinstance(number, types.Number | types.Boolean)):
        return None
    match place:
        case types.Integer() if array.ndim == 1:
            return write
        case types.BaseTuple():
            return last if len(place) == 1 else first
        case _:
            return fill
