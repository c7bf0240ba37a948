"""Writes an ONNX model that is a chain of layers, without any library."""


def varint(number):
    encoded = b""
    while number > 0x7F:
        encoded += bytes([number & 0x7F | 0x80])
        number >>= 7
    return encoded + bytes([number])


def number_field(field, value):
    return varint(field << 3) + varint(value)


def bytes_field(field, value):
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def value_info(name, dims):
    shape = b"".join(bytes_field(1, number_field(1, dim)) for dim in dims)
    tensor = number_field(1, 1) + bytes_field(2, shape)
    return bytes_field(1, name) + bytes_field(2, bytes_field(1, tensor))


def chain(num_layers, num_elements):
    """LeakyRelu: chains of ReLU are merged into one by some runtimes."""
    names = ["x"] + [f"t{index}" for index in range(1, num_layers)] + ["y"]
    nodes = b"".join(
        bytes_field(1, bytes_field(1, source) + bytes_field(2, target) + bytes_field(4, "LeakyRelu"))
        for source, target in zip(names, names[1:]))
    dims = [1, num_elements]
    graph = (nodes + bytes_field(2, "chain") + bytes_field(11, value_info("x", dims))
             + bytes_field(12, value_info("y", dims)))
    opset = number_field(2, 13)
    return number_field(1, 8) + bytes_field(7, graph) + bytes_field(8, opset)
