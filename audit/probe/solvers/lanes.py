"""Passes over the entries of one row for several labels at once: a vector instruction does the sums of two or four.

numba compiles such short inner loops to one instruction per sum, so these two are written out for LLVM. Each sum has
its terms in the order of the entries, whatever the number of labels and on any processor: nothing is fused or
reordered. Arrays hold `width` numbers for each column, one after the other; `width` is even.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.types.containers import BaseTuple
from numba.extending import intrinsic

__all__ = ["add_row", "row_times"]

_INDEX = ir.IntType(64)
_GROUPS = ((4, 3), (4, 2), (4, 1), (2, 1))
"""Lanes of a vector and vectors that share a pass over the entries, from wide to narrow."""


@intrinsic
def row_times(typingctx, entries, span, width, weights, last, sums, at):  # type: ignore[no-untyped-def]
    """sums[at + c] = weights[last + c] + the sum of data[k] * weights[indices[k] * width + c] for start <= k < stop.

    That is for all c below `width`; `entries` are (indices, data), `span` is (start, stop).
    """
    u = types.uint64
    signature = types.void(entries, span, u, weights, u, sums, u)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        indices, data, start, stop, width, weights, last, sums, at = _opened(
            context, builder, signature.args, arguments
        )
        for lane, vector, count in _grouped(builder, width):
            totals = [cgutils.alloca_once(builder, vector) for _ in range(count)]
            for v, total in enumerate(totals):
                builder.store(_load(builder, weights, _sum(builder, last, lane, v * vector.count), vector), total)
            with cgutils.for_range_slice(builder, start, stop, _INDEX(1), _INDEX) as (k, _):
                first, x = _entry(builder, indices, data, k, width, lane, vector)
                for v, total in enumerate(totals):
                    term = builder.fmul(x, _load(builder, weights, _sum(builder, first, v * vector.count), vector))
                    builder.store(builder.fadd(builder.load(total), term), total)
            for v, total in enumerate(totals):
                _store(builder, builder.load(total), sums, _sum(builder, at, lane, v * vector.count))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def add_row(typingctx, entries, span, width, factors, sums):  # type: ignore[no-untyped-def]
    """sums[indices[k] * width + c] += data[k] * factors[c] for start <= k < stop and all c below `width`."""
    u = types.uint64
    signature = types.void(entries, span, u, factors, sums)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        indices, data, start, stop, width, factors, sums = _opened(context, builder, signature.args, arguments)
        for lane, vector, count in _grouped(builder, width):
            places = [_sum(builder, lane, v * vector.count) for v in range(count)]
            own = [_load(builder, factors, place, vector) for place in places]
            with cgutils.for_range_slice(builder, start, stop, _INDEX(1), _INDEX) as (k, _):
                first, x = _entry(builder, indices, data, k, width, lane, vector)
                for v, factor in enumerate(own):
                    at = _sum(builder, first, v * vector.count)
                    _store(builder, builder.fadd(_load(builder, sums, at, vector), builder.fmul(x, factor)), sums, at)
        return context.get_dummy_value()

    return signature, generate


def _opened(context: Any, builder: Any, kinds: Any, values: Any) -> Iterator[Any]:
    """The arguments, those of tuples one by one, with a pointer to the data in place of each array."""
    for kind, value in zip(kinds, values, strict=True):
        if isinstance(kind, BaseTuple):
            yield from _opened(context, builder, kind.types, cgutils.unpack_tuple(builder, value))
        else:
            yield context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value


def _grouped(builder: Any, width: Any) -> Iterator[tuple[Any, Any, int]]:
    """For each group of lanes that the caller then writes code for: its first lane, the vector type, how many."""
    begin = _INDEX(0)
    for lanes, count in _GROUPS:
        step = _INDEX(lanes * count)
        end = builder.add(begin, builder.mul(builder.udiv(builder.sub(width, begin), step), step))
        with cgutils.for_range_slice(builder, begin, end, step, _INDEX) as (lane, _):
            yield lane, ir.VectorType(ir.DoubleType(), lanes), count
        begin = end


def _entry(builder: Any, indices: Any, data: Any, k: Any, width: Any, lane: Any, vector: Any) -> tuple[Any, Any]:
    """Where the numbers of entry k begin, and its value in every lane."""
    column = builder.zext(builder.load(builder.gep(indices, [k])), _INDEX)
    value = builder.load(builder.gep(data, [k]))
    anything = ir.Constant(vector, ir.Undefined)
    alone = builder.insert_element(anything, value, ir.IntType(32)(0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.add(builder.mul(column, width), lane), builder.shuffle_vector(alone, anything, everywhere)


def _sum(builder: Any, first: Any, *others: Any) -> Any:
    for other in others:
        first = builder.add(first, _INDEX(other) if isinstance(other, int) else other)
    return first


def _load(builder: Any, pointer: Any, at: Any, vector: Any) -> Any:
    place = builder.bitcast(builder.gep(pointer, [at]), vector.as_pointer())
    return builder.load(place, align=8)


def _store(builder: Any, value: Any, pointer: Any, at: Any) -> None:
    builder.store(value, builder.bitcast(builder.gep(pointer, [at]), value.type.as_pointer()), align=8)
