#!/usr/bin/env python3
"""Makes networks as today's exporters and quantisers write them, with seeded weights.

FOLDER gets a folder for each model, with model.onnx and the inputs of one run, as compare.py and
run.py read them. Weights are random, so that results say nothing about accuracy; nodes, widths and
operator sets are those of torch.onnx, optimum, tf2onnx, Paddle's exporter and ONNX Runtime's
quantiser, with fewer layers. Static quantisation runs execute-network for the ranges.

    build/release/bench/models/exported/make_models.py FOLDER [--only NAME,...]
"""

import argparse
import functools
import pathlib
import sys
import tempfile

import numpy
import onnx
import onnx.numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import bert  # noqa: E402: beside this file, as are the others
import bert_fused  # noqa: E402
import control_flow  # noqa: E402
import convnext  # noqa: E402
import detection  # noqa: E402
import diffusion  # noqa: E402
import efficientnet  # noqa: E402
import gpt2  # noqa: E402
import gpt2_fused  # noqa: E402
import halve  # noqa: E402: in the folder above
import llama  # noqa: E402
import llama_attention  # noqa: E402
import llama_fused  # noqa: E402
import mobilenet  # noqa: E402
import quantise  # noqa: E402: in the folder above
import quantiser  # noqa: E402
import resnet  # noqa: E402
import speech  # noqa: E402
import swin  # noqa: E402
import text_detector  # noqa: E402
import two_stage_detection  # noqa: E402
import unet  # noqa: E402
import vit  # noqa: E402
import whisper  # noqa: E402
import whisper_fused  # noqa: E402
import whisper_loop  # noqa: E402
import yolo  # noqa: E402

BACKENDS = "CpuAcc,CpuRef"


def write_inputs(data, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for index, (name, array) in enumerate(data.items()):
        tensor = onnx.numpy_helper.from_array(numpy.asarray(array, order="C"), name)
        (folder / f"input_{index}.pb").write_bytes(tensor.SerializeToString())


def build(make):
    network = make()
    return network.build(), network.data


def build_half(make):
    """float16 inside, float32 at the borders."""
    model, data = build(make)
    halve.halve(model, onnx.TensorProto.FLOAT16, keeps_borders=True)
    return model, data


def build_static(make, **how):
    """QuantizeLinear and DequantizeLinear, by ranges of the run whose inputs are given."""
    model, data = build(make)
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(data, pathlib.Path(folder))
        quantiser.quantise_statically(
            model, lambda *what: quantise.measure_ranges(*what, BACKENDS, folder), **how)
    return model, data


def build_dynamic(make, **how):
    model, data = build(make)
    quantiser.quantise_dynamically(model, **how)
    return model, data


def build_blocks(make, **how):
    """Weights of a few bits, and nothing else quantised."""
    model, data = build(make)
    quantiser.quantise_blocks(model, **how)
    return model, data


def build_quantised_images(make):
    """A convolutional network with QuantizeLinear and DequantizeLinear."""
    model, data = build(make)
    return quantise.quantise(model, BACKENDS), data


make_step = functools.partial(gpt2.make_gpt2, tokens=1, past=64)
EVERY_LAYER = {"layers": (*quantiser.LAYERS, "Mul"), "float_scopes": ()}

MODELS = {
    "bert": lambda: build(bert.make_bert),
    "bert_fp16": lambda: build_half(bert.make_bert),
    "bert_qdq": lambda: build_static(bert.make_bert),
    "bert_qdq_columns": lambda: build_static(bert.make_bert, per_column=True),
    "bert_qdq_every_layer": lambda: build_static(bert.make_bert, **EVERY_LAYER),
    "bert_dynamic": lambda: build_dynamic(bert.make_bert),
    "bert_dynamic_columns": lambda: build_dynamic(bert.make_bert, per_column=True),
    "gpt2_prompt": lambda: build(lambda: gpt2.make_gpt2(tokens=64, past=0)),
    "gpt2_step": lambda: build(make_step),
    "gpt2_step_fp16": lambda: build_half(make_step),
    "gpt2_step_dynamic": lambda: build_dynamic(make_step),
    "llama_step": lambda: build(llama.make_llama),
    "llama_step_fp16": lambda: build_half(llama.make_llama),
    "llama_step_4bits": lambda: build_blocks(llama.make_llama),
    "llama_step_8bits": lambda: build_blocks(llama.make_llama, bits=8, block=128),
    "vit": lambda: build(vit.make_vit),
    "vit_qdq": lambda: build_static(vit.make_vit),
    "vit_dynamic": lambda: build_dynamic(vit.make_vit),
    "swin": lambda: build(swin.make_swin),
    "swin_fp16": lambda: build_half(swin.make_swin),
    "convnext": lambda: build(convnext.make_convnext),
    "efficientnet": lambda: build(efficientnet.make_efficientnet),
    "mobilenetv3": lambda: build(lambda: mobilenet.make_mobilenet(mobilenet.TorchStyle)),
    "mobilenetv3_tf": lambda: build(lambda: mobilenet.make_mobilenet(mobilenet.TensorFlowStyle)),
    "mobilenetv3_qdq": lambda: build_quantised_images(
        lambda: mobilenet.make_mobilenet(mobilenet.TensorFlowStyle)),
    "unet_transposed": lambda: build(lambda: unet.make_unet(is_transposed=True)),
    "unet_resize": lambda: build(lambda: unet.make_unet(is_transposed=False)),
    "diffusion": lambda: build(diffusion.make_diffusion),
    "diffusion_fp16": lambda: build_half(diffusion.make_diffusion),
    "whisper": lambda: build(whisper.make_whisper),
    "resnet50": lambda: build(resnet.make_resnet50),
    "resnet50_fp16": lambda: build_half(resnet.make_resnet50),
    "resnet50_qdq": lambda: build_quantised_images(resnet.make_resnet50),
    "lstm_speech": lambda: build(speech.make_lstm),
    "gru_speech": lambda: build(speech.make_gru),
    "detection": lambda: build(detection.make_detection),
    "text_detector": lambda: build(text_detector.make_text_detector),
    "bert_batch": lambda: build(lambda: bert.make_bert(tokens=77, batch=2)),
    "bert_fused": lambda: build(bert_fused.make_bert_fused),
    "bert_fused_tanh": lambda: build(lambda: bert_fused.make_bert_fused("FastGelu")),
    "gpt2_fused_prompt": lambda: build(lambda: gpt2_fused.make_gpt2_fused(tokens=64, past=0)),
    "gpt2_fused_step": lambda: build(lambda: gpt2_fused.make_gpt2_fused(tokens=1, past=64)),
    "llama_fused_prompt": lambda: build(lambda: llama_fused.make_llama_fused(tokens=64, past=0)),
    "llama_fused_step": lambda: build(lambda: llama_fused.make_llama_fused(tokens=1, past=64)),
    "llama_rotary_prompt": lambda: build(
        lambda: llama_fused.make_llama_fused(tokens=64, past=0, rotates_within=False)),
    "llama_rotary_step": lambda: build(
        lambda: llama_fused.make_llama_fused(tokens=1, past=64, rotates_within=False)),
    "llama_attention_prompt": lambda: build(
        lambda: llama_attention.make_llama_attention(tokens=64, past=0)),
    "llama_attention_step": lambda: build(
        lambda: llama_attention.make_llama_attention(tokens=1, past=64)),
    "whisper_fused": lambda: build(whisper_fused.make_whisper_encoder),
    "whisper_fused_step": lambda: build(whisper_fused.make_whisper_step),
    "whisper_loop": lambda: build(whisper_loop.make_whisper_loop),
    "yolo": lambda: build(yolo.make_yolo),
    "two_stage_detection": lambda: build(two_stage_detection.make_two_stage_detection),
    "early_exit_taken": lambda: build(lambda: control_flow.make_early_exit(threshold=0.2)),
    "early_exit_passed": lambda: build(lambda: control_flow.make_early_exit(threshold=0.999)),
    "refinement": lambda: build(control_flow.make_refinement),
    "state_space": lambda: build(control_flow.make_state_space),
    "growing_loop": lambda: build(control_flow.make_growing_loop),
    "non_zero": lambda: build(control_flow.make_non_zero),
    "suppression": lambda: build(control_flow.make_suppression),
}


def is_known_to_checker(model):
    """Whether the installed ONNX has rules for all of the model's operator sets."""
    newest = onnx.defs.onnx_opset_version()
    return all(entry.domain == "" and entry.version <= newest for entry in model.opset_import)


def make_model(name, folder):
    model, data = MODELS[name]()
    if is_known_to_checker(model):
        onnx.checker.check_model(model)
    write_inputs(data, folder / name / "test_data_set_0")
    onnx.save(model, str(folder / name / "model.onnx"))
    size = (folder / name / "model.onnx").stat().st_size
    print(f"{name:24}{len(model.graph.node):6} nodes {size / 1e6:7.1f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", help="names of models, with commas: " + ", ".join(MODELS))
    options = parser.parse_args()
    wanted = options.only.split(",") if options.only else list(MODELS)
    unknown = [name for name in wanted if name not in MODELS]
    if unknown:
        parser.error(f"no models are called {', '.join(unknown)}; there are {', '.join(MODELS)}")
    for name in wanted:
        make_model(name, options.folder)


if __name__ == "__main__":
    main()
