#!/usr/bin/env python3
"""Train the project's example digit classifier and export it as ONNX.

Everything is made here: the images (see draw_digits.py), the small
convolutional network with its training in plain numpy, the ONNX file, sample
images, and input/output pairs to hold a backend's results against.

    train_digits.py [--output DIR]            train, measure, write the files
    train_digits.py --check [--output DIR]    measure the digits.onnx in DIR

Either way the exit status is 1 if the accuracy on images drawn from a seed
that training never sees is not above 95 %.  The seeds are fixed and the work
stays on one thread, so on one installation every run writes the same bytes;
another numpy or BLAS may round differently and so reach other weights.
"""

import argparse
import os
import pathlib
import sys
import time

# More threads would split the sums differently; numpy reads this on import.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import numpy as np  # noqa: E402
import onnx  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from draw_digits import Distortion, draw_set  # noqa: E402

WEIGHTS_SEED, TRAIN_SEED, SAMPLE_SEED = 1, 2, 3
HELD_OUT_SEEDS, CHECK_SEEDS = (4, 5), (6, 7)  # usual and wider drawings
TRAIN_COUNT, HELD_OUT_COUNT, CHECK_COUNT = 30000, 5000, 3000
EPOCHS, BATCH_SIZE, LEARNING_RATE = 5, 64, 2e-3
REQUIRED_ACCURACY = 0.95
WIDER_FACTOR = 1.3
MAX_MODEL_BYTES = 100_000
MODEL_NAME = "digits.onnx"
# The samples, by "<label>_<k>", that make up each test data set's batch.
TEST_DATA_SETS = (("7_0",), ("0_1", "3_0", "4_1", "9_0"))
# In the order in which the network uses them.
PARAMETER_SHAPES = {
    "conv1.weight": (8, 1, 5, 5), "conv1.bias": (8,),
    "conv2.weight": (16, 8, 3, 3), "conv2.bias": (16,),
    "gemm.weight": (10, 16 * 7 * 7), "gemm.bias": (10,),
}


def initial_parameters(rng):
    """Return He-scaled random weights and zero biases."""
    parameters = {}
    for name, shape in PARAMETER_SHAPES.items():
        value = np.zeros(shape)
        if name.endswith("weight"):
            fan_in = np.prod(shape[1:])
            value = rng.normal(0.0, np.sqrt(2.0 / fan_in), shape)
        parameters[name] = value.astype(np.float32)
    return parameters


def unfold(x, size):
    """Return im2col of x, padded to keep its height and width.

    Shape [batch, channels * size * size, height * width]: a convolution is
    then one matrix product per image.
    """
    batch, channels, height, width = x.shape
    pad = size // 2
    wide = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    columns = np.empty((batch, channels, size, size, height, width), x.dtype)
    for row in range(size):
        for column in range(size):
            columns[:, :, row, column] = wide[:, :, row:row + height,
                                              column:column + width]
    return columns.reshape(batch, -1, height * width)


def fold(columns, shape, size):
    """Return the sum of each pixel's copies: the gradient of unfold."""
    batch, channels, height, width = shape
    pad = size // 2
    wide = np.zeros((batch, channels, height + 2 * pad, width + 2 * pad),
                    columns.dtype)
    columns = columns.reshape(batch, channels, size, size, height, width)
    for row in range(size):
        for column in range(size):
            wide[:, :, row:row + height,
                 column:column + width] += columns[:, :, row, column]
    return wide[:, :, pad:pad + height, pad:pad + width]


def convolve(x, weight, bias):
    """Return the convolution of x and the columns its gradient needs."""
    columns = unfold(x, weight.shape[-1])
    result = weight.reshape(len(weight), -1) @ columns + bias[:, None]
    return result.reshape(len(x), len(weight), *x.shape[2:]), columns


def convolve_backward(gradient, columns, weight):
    """Return the gradients of a convolution's weight, bias and columns."""
    batch, channels = gradient.shape[:2]
    gradient = gradient.reshape(batch, channels, -1)
    weight_gradient = (gradient @ columns.transpose(0, 2, 1)).sum(axis=0)
    column_gradient = weight.reshape(channels, -1).T @ gradient
    return (weight_gradient.reshape(weight.shape), gradient.sum(axis=(0, 2)),
            column_gradient)


def relu_and_pool(x):
    """Return Relu followed by 2 by 2 MaxPool."""
    x = np.maximum(x, 0)
    rows = np.maximum(x[:, :, 0::2], x[:, :, 1::2])
    return np.maximum(rows[..., 0::2], rows[..., 1::2])


def relu_and_pool_backward(gradient, x, pooled):
    """Return the gradient of relu_and_pool with respect to x.

    Where pixels share a window's maximum each gets the whole gradient.  That
    is common only at zero, where Relu lets nothing through anyway.
    """
    def enlarge(small):
        return small.repeat(2, axis=2).repeat(2, axis=3)

    return enlarge(gradient) * ((x == enlarge(pooled)) & (x > 0))


def forward(parameters, x):
    """Return the logits and what the backward pass needs."""
    conv1, columns1 = convolve(x, parameters["conv1.weight"],
                               parameters["conv1.bias"])
    pool1 = relu_and_pool(conv1)
    conv2, columns2 = convolve(pool1, parameters["conv2.weight"],
                               parameters["conv2.bias"])
    pool2 = relu_and_pool(conv2)
    flat = pool2.reshape(len(x), -1)
    logits = flat @ parameters["gemm.weight"].T + parameters["gemm.bias"]
    return logits, (columns1, conv1, pool1, columns2, conv2, pool2)


def softmax(logits):
    """Return the probabilities, shifted first so that exp cannot overflow."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def gradients(parameters, x, labels):
    """Return the mean cross-entropy and its gradient for every parameter."""
    logits, (columns1, conv1, pool1, columns2, conv2, pool2) = forward(
        parameters, x)
    slope = softmax(logits)
    rows = np.arange(len(x))
    loss = -np.log(np.maximum(slope[rows, labels], 1e-12)).mean()
    slope[rows, labels] -= 1
    slope /= len(x)
    result = {"gemm.weight": slope.T @ pool2.reshape(len(x), -1),
              "gemm.bias": slope.sum(axis=0)}
    slope = (slope @ parameters["gemm.weight"]).reshape(pool2.shape)
    slope = relu_and_pool_backward(slope, conv2, pool2)
    result["conv2.weight"], result["conv2.bias"], slope = convolve_backward(
        slope, columns2, parameters["conv2.weight"])
    slope = fold(slope, pool1.shape, 3)
    slope = relu_and_pool_backward(slope, conv1, pool1)
    result["conv1.weight"], result["conv1.bias"], _ = convolve_backward(
        slope, columns1, parameters["conv1.weight"])
    return loss, result


class Adam:
    """The Adam optimiser; the caller gives each step its learning rate."""

    def __init__(self, parameters, beta1=0.9, beta2=0.999):
        self.parameters = parameters
        self.beta1, self.beta2, self.steps = beta1, beta2, 0
        self.mean = {k: np.zeros_like(v) for k, v in parameters.items()}
        self.square = {k: np.zeros_like(v) for k, v in parameters.items()}

    def step(self, slopes, rate):
        """Move the parameters in place, against the slopes."""
        self.steps += 1
        rate *= (np.sqrt(1 - self.beta2 ** self.steps)
                 / (1 - self.beta1 ** self.steps))
        for name, slope in slopes.items():
            mean, square = self.mean[name], self.square[name]
            mean += (1 - self.beta1) * (slope - mean)
            square += (1 - self.beta2) * (slope ** 2 - square)
            self.parameters[name] -= np.float32(rate) * mean / (
                np.sqrt(square) + np.float32(1e-7))


def as_input(images):
    """Return 8-bit images as the network's input, scaled to 0..1."""
    return images[:, None].astype(np.float32) / np.float32(255)


def train():
    """Draw the training images and return the trained parameters."""
    images, labels, _ = draw_set(TRAIN_COUNT, Distortion(), TRAIN_SEED)
    rng = np.random.default_rng(WEIGHTS_SEED)
    parameters = initial_parameters(rng)
    optimiser = Adam(parameters)
    batches = TRAIN_COUNT // BATCH_SIZE
    for epoch in range(EPOCHS):
        total = 0.0
        order = rng.permutation(TRAIN_COUNT)
        for batch in range(batches):
            chosen = order[batch * BATCH_SIZE:(batch + 1) * BATCH_SIZE]
            loss, slopes = gradients(parameters, as_input(images[chosen]),
                                     labels[chosen])
            # The rate falls to zero along a half cosine: quick, then settled.
            done = (epoch * batches + batch) / (EPOCHS * batches)
            optimiser.step(slopes,
                           LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * done)))
            total += loss
        print(f"epoch {epoch + 1}/{EPOCHS}: loss {total / batches:.4f}",
              flush=True)
    return parameters


def predict(parameters, images):
    """Return the scores of 8-bit images, a batch at a time."""
    return np.concatenate([
        softmax(forward(parameters, as_input(images[i:i + 250]))[0])
        for i in range(0, len(images), 250)])


def measure(parameters, title, count, distortion, seed):
    """Report the accuracy on freshly drawn images, style by style."""
    images, labels, styles = draw_set(count, distortion, seed)
    right = predict(parameters, images).argmax(axis=1) == labels
    print(f"{title}: {count} images, seed {seed}, {distortion}")
    for digit in range(10):
        mine = labels == digit
        parts = [f"{name} {right[mine & (styles == name)].mean():.2%}"
                 for name in sorted(set(styles[mine]))]
        print(f"  {digit}: {right[mine].mean():.2%} ({', '.join(parts)})")
    print(f"{title}: accuracy {right.mean():.2%}")
    return right.mean()


def is_good_enough(parameters, count, seeds):
    """Measure on new drawings, as trained and wider; require the former.

    The wider set leaves the range that training covered.  Its figure says how
    gracefully the network degrades and is no requirement.
    """
    accuracy = measure(parameters, "held out", count, Distortion(), seeds[0])
    measure(parameters, "held out, wider (not required)", count,
            Distortion().scaled(WIDER_FACTOR), seeds[1])
    if accuracy > REQUIRED_ACCURACY:
        return True
    print(f"accuracy {accuracy:.2%} is not above {REQUIRED_ACCURACY:.0%}",
          file=sys.stderr)
    return False


def make_model(parameters):
    """Return the network as an ONNX model that takes any batch size."""
    nodes = [
        helper.make_node("Conv", ["image", "conv1.weight", "conv1.bias"],
                         ["conv1"], "conv1", kernel_shape=[5, 5],
                         pads=[2, 2, 2, 2], strides=[1, 1]),
        helper.make_node("Relu", ["conv1"], ["relu1"], "relu1"),
        helper.make_node("MaxPool", ["relu1"], ["pool1"], "pool1",
                         kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["pool1", "conv2.weight", "conv2.bias"],
                         ["conv2"], "conv2", kernel_shape=[3, 3],
                         pads=[1, 1, 1, 1], strides=[1, 1]),
        helper.make_node("Relu", ["conv2"], ["relu2"], "relu2"),
        helper.make_node("MaxPool", ["relu2"], ["pool2"], "pool2",
                         kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["pool2"], ["flat"], "flatten", axis=1),
        helper.make_node("Gemm", ["flat", "gemm.weight", "gemm.bias"],
                         ["logits"], "gemm", transB=1),
        helper.make_node("Softmax", ["logits"], ["scores"], "softmax",
                         axis=1),
    ]
    graph = helper.make_graph(
        nodes, "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT,
                                       ["batch", 1, 28, 28])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT,
                                       ["batch", 10])],
        [numpy_helper.from_array(parameters[name], name)
         for name in PARAMETER_SHAPES])
    model = helper.make_model(graph, producer_name="backplane-train-digits",
                              opset_imports=[helper.make_opsetid("", 13)])
    # Fixed, so that a newer onnx package does not change the file.
    model.ir_version = 7
    return model


def load_parameters(path):
    """Return the weights of an exported model after checking its form."""
    model = onnx.load(str(path))
    onnx.checker.check_model(model)
    parameters = {tensor.name: numpy_helper.to_array(tensor)
                  for tensor in model.graph.initializer}
    shapes = {name: value.shape for name, value in parameters.items()}
    # The numpy code speaks for the file only if both are the same network.
    if (shapes != PARAMETER_SHAPES
            or model.graph != make_model(parameters).graph):
        raise ValueError(f"{path} is not the network of this script")
    return parameters


def write_model(parameters, path):
    """Export the model, holding it to the checker and the size limit."""
    model = make_model(parameters)
    onnx.checker.check_model(model, full_check=True)
    data = model.SerializeToString()
    if len(data) >= MAX_MODEL_BYTES:
        raise ValueError(f"the model would take {len(data)} bytes")
    path.write_bytes(data)
    print(f"wrote {path.name}, {len(data)} bytes")


def write_samples(parameters, folder):
    """Write two held-out images of each digit; return them by name."""
    images, labels, _ = draw_set(20, Distortion(), SAMPLE_SEED)
    folder.mkdir(exist_ok=True)
    samples = {}
    for index, (image, label) in enumerate(zip(images, labels)):
        name = f"{label}_{index // 10}"
        samples[name] = image
        (folder / f"digit_{name}.pgm").write_bytes(
            b"P5\n28 28\n255\n" + image.tobytes())
    right = (predict(parameters, images).argmax(axis=1) == labels).sum()
    print(f"wrote 20 images, {right} of them recognised")
    return samples


def write_test_data(parameters, samples, folder):
    """Write inputs with the outputs this script computes for them.

    A backend's results may be compared with these: they come from the numpy
    code above, not from the software under test.
    """
    for index, names in enumerate(TEST_DATA_SETS):
        images = np.stack([samples[name] for name in names])
        target = folder / f"test_data_set_{index}"
        target.mkdir(exist_ok=True)
        for stem, name, value in (
                ("input_0", "image", as_input(images)),
                ("output_0", "scores", predict(parameters, images))):
            tensor = numpy_helper.from_array(value, name)
            (target / f"{stem}.pb").write_bytes(tensor.SerializeToString())
        print(f"wrote {target.name}, batch {len(names)}")


def main():
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        description="Train the example digit classifier, or check it.")
    parser.add_argument("--output", type=pathlib.Path, metavar="DIR",
                        default=pathlib.Path(__file__).resolve().parent,
                        help="folder of the model (default: this script's)")
    parser.add_argument("--check", action="store_true",
                        help="measure the model in DIR and write nothing")
    options = parser.parse_args()
    if options.check:
        parameters = load_parameters(options.output / MODEL_NAME)
        return 0 if is_good_enough(parameters, CHECK_COUNT, CHECK_SEEDS) else 1
    started = time.monotonic()
    parameters = train()
    print(f"drew and trained in {time.monotonic() - started:.0f} s")
    if not is_good_enough(parameters, HELD_OUT_COUNT, HELD_OUT_SEEDS):
        return 1
    options.output.mkdir(parents=True, exist_ok=True)
    write_model(parameters, options.output / MODEL_NAME)
    # Read back, so that the outputs belong to the file and not to memory.
    parameters = load_parameters(options.output / MODEL_NAME)
    samples = write_samples(parameters, options.output / "images")
    write_test_data(parameters, samples, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
