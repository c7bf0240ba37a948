"""Values in files, and how those of two differ."""

import dataclasses

import numpy
import onnx
import onnx.numpy_helper

from graphs import ARRAY_TYPES

ABSOLUTE, RELATIVE = 1e-4, 1e-3


def kind_of(info):
    return info.type.WhichOneof("value").replace("_type", "")


def read_value(path, info):
    """An array, a list of arrays, or None."""
    content = path.read_bytes()
    if kind_of(info) == "sequence":
        sequence = onnx.SequenceProto.FromString(content)
        return [onnx.numpy_helper.to_array(tensor) for tensor in sequence.tensor_values]
    if kind_of(info) == "optional":
        optional = onnx.OptionalProto.FromString(content)
        if not optional.HasField("tensor_value"):
            return None
        return onnx.numpy_helper.to_array(optional.tensor_value)
    return onnx.numpy_helper.to_array(onnx.TensorProto.FromString(content))


def write_value(path, info, value):
    def tensor(array):
        return onnx.numpy_helper.from_array(numpy.asarray(array))

    if kind_of(info) == "sequence":
        proto = onnx.SequenceProto(elem_type=onnx.SequenceProto.TENSOR)
        proto.tensor_values.extend(map(tensor, value))
    elif kind_of(info) == "optional":
        proto = onnx.OptionalProto()
        if value is not None:
            proto.elem_type = onnx.OptionalProto.TENSOR
            proto.tensor_value.CopyFrom(tensor(value))
    else:
        proto = tensor(value)
    path.write_bytes(proto.SerializeToString())


def misfit(value, result):
    """How a result is not of the type and extents that its model states, in words."""
    if value.kind == "sequence":
        return next((f"element {place}: {words}" for place, words in enumerate(
            misfit(dataclasses.replace(value, kind="tensor"), part) for part in result) if words),
            "")
    if result is None:
        return ""
    if result.dtype == ARRAY_TYPES[value.type] and len(result.shape) == len(value.dims) and all(
            not isinstance(stated, int) or stated == extent
            for stated, extent in zip(value.dims, result.shape)):
        return ""
    return f"{result.dtype} {list(result.shape)}, not {list(value.dims)}"


def difference(first, second):
    """How two values differ, in words; "" when they do not."""
    if isinstance(first, list) and isinstance(second, list):
        if len(first) != len(second):
            return f"sequences of {len(first)} and of {len(second)}"
        return next((f"element {place}: {words}" for place, words in enumerate(
            map(difference, first, second)) if words), "")
    if not isinstance(first, numpy.ndarray) or not isinstance(second, numpy.ndarray):
        return "" if first is None and second is None else "nothing and something"
    if first.dtype != second.dtype or first.shape != second.shape:
        return f"{first.dtype} {list(first.shape)} and {second.dtype} {list(second.shape)}"
    if first.dtype.kind == "f":
        is_same = numpy.isclose(first, second, RELATIVE, ABSOLUTE, equal_nan=True)
    else:
        is_same = first == second
    if is_same.all():
        return ""
    place = tuple(int(index) for index in numpy.argwhere(~is_same)[0])
    return (f"{int((~is_same).sum())} of {first.size} elements, first {list(place)}: "
            f"{first[place]} and {second[place]}")
