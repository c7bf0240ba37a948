"""ResNets as torchvision has them, with the normalisations folded."""

from convolution import add_image, classify, convolve, convolve_relu
from network import Network


def add_bottleneck(network, image, channels, width, stride):
    value = convolve_relu(network, image, channels, width, 1)
    value = convolve_relu(network, value, width, width, 3, stride)
    value = convolve(network, value, width, 4 * width, 1, gain=0.5)
    if channels != 4 * width:
        image = convolve(network, image, channels, 4 * width, 1, stride)
    return network.add("Relu", network.add("Add", value, image)), 4 * width


def add_basic(network, image, channels, width, stride):
    value = convolve_relu(network, image, channels, width, 3, stride)
    value = convolve(network, value, width, width, 3, gain=0.5)
    if channels != width:
        image = convolve(network, image, channels, width, 1, stride)
    return network.add("Relu", network.add("Add", value, image)), width


def add_stem(network, image, width=64):
    value = convolve_relu(network, image, 3, width, 7, 2)
    return network.add("MaxPool", value, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1],
                       ceil_mode=0)


def add_stages(network, value, add_block, repeats, widths, channels=64):
    """The outputs of all stages, with their channels."""
    stages = []
    for stage, (count, width) in enumerate(zip(repeats, widths)):
        for block in range(count):
            with network.scope(f"layer{stage + 1}.{block}"):
                stride = 2 if stage > 0 and block == 0 else 1
                value, channels = add_block(network, value, channels, width, stride)
        stages.append((value, channels))
    return stages


def make_resnet50(extent=224):
    network = Network(operator_set=13)
    value = add_stem(network, add_image(network, extent, extent))
    stages = add_stages(network, value, add_bottleneck, (3, 4, 6, 3), (64, 128, 256, 512))
    classify(network, *stages[-1])
    return network
