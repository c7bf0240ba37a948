#!/usr/bin/env python3
"""Exports models with the exporters themselves: torch's by programs and by tracing, Optimum's, and
ONNX Runtime's optimisers and quantisers behind them.

Weights are random, from a seed; widths are those of base models or, with --width, others; layers
are few. FOLDER gets a folder for each model, with model.onnx and test_data_set_0: inputs, and
outputs as ONNX Runtime computes them. What is there already stays. Models are named
FAMILY_EXPORTER, or FAMILY_EXPORTER_PART of several parts, and + TOOL; patterns choose among
FAMILY_EXPORTER+TOOL. A model whose packages are not there is skipped, and says which are not;
one that an exporter refuses is named with the reason.

    bench/models/export_models.py FOLDER [PATTERN...] [--width 768] [--layers 3] [--list]

All packages: torch, onnxscript, transformers (before 5), optimum-onnx, onnx, onnxruntime.
"""

import argparse
import fnmatch
import importlib.util
import os
import pathlib
import re
import shutil
import tempfile
import warnings

CONFIGURED = {  # what configurations call it, for all kinds of models
    "width": ("hidden_size", "d_model", "n_embd", "dim"),
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_decoder_layers",
               "encoder_layers", "decoder_layers"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads",
              "decoder_attention_heads"),
    "inner": ("intermediate_size", "hidden_dim", "d_ff", "ffn_dim", "encoder_ffn_dim",
              "decoder_ffn_dim"),
    "groups": ("num_key_value_heads",),
    "words": ("vocab_size",),
}
NUM_WORDS = 8000

ENCODER = ("Model", "feature-extraction")
DECODER = ("ForCausalLM", "text-generation-with-past")
TRANSLATOR = ("ForConditionalGeneration", "text2text-generation-with-past")
CLASSIFIER = ("ForImageClassification", "image-classification")

# Family: the beginning of its classes, their end and Optimum's task, and what its configuration
# has besides the sizes.
FAMILIES = {
    "bert": ("Bert", ENCODER, {}),
    "distilbert": ("DistilBert", ENCODER, {}),
    "roberta": ("Roberta", ENCODER, {}),
    "xlmr": ("XLMRoberta", ENCODER, {}),
    "mpnet": ("MPNet", ENCODER, {}),
    "albert": ("Albert", ENCODER, {}),
    "electra": ("Electra", ENCODER, {}),
    "deberta": ("DebertaV2", ENCODER, {"relative_attention": True, "position_buckets": 32,
                                       "pos_att_type": ["p2c", "c2p"], "share_att_key": True}),
    "modernbert": ("ModernBert", ENCODER, {"pad_token_id": 0, "reference_compile": False}),
    "gpt2": ("GPT2", ("LMHeadModel", DECODER[1]), {}),
    "gptj": ("GPTJ", DECODER, {"rotary_dim": 32}),
    "gptneox": ("GPTNeoX", DECODER, {}),
    "opt": ("OPT", DECODER, {"word_embed_proj_dim": None}),
    "bloom": ("Bloom", DECODER, {}),
    "falcon": ("Falcon", DECODER, {}),
    "llama": ("Llama", DECODER, {}),
    "mistral": ("Mistral", DECODER, {"sliding_window": 64}),
    "qwen2": ("Qwen2", DECODER, {}),
    "qwen3": ("Qwen3", DECODER, {"head_dim": 64}),
    "phi": ("Phi", DECODER, {"num_key_value_heads": None}),
    "phi3": ("Phi3", DECODER, {"pad_token_id": 0}),
    "gemma2": ("Gemma2", DECODER, {"head_dim": 64, "sliding_window": 64}),
    "granite": ("Granite", DECODER, {}),
    "smollm3": ("SmolLM3", DECODER, {"pad_token_id": 0}),
    "t5": ("T5", TRANSLATOR, {"d_kv": 64}),
    "longt5": ("LongT5", TRANSLATOR, {"d_kv": 64}),
    "bart": ("Bart", TRANSLATOR, {}),
    "marian": ("Marian", ("MTModel", TRANSLATOR[1]),
               {"pad_token_id": NUM_WORDS - 1, "decoder_start_token_id": NUM_WORDS - 1}),
    "m2m100": ("M2M100", TRANSLATOR, {}),
    "pegasus": ("Pegasus", TRANSLATOR, {}),
    "whisper": ("Whisper", (TRANSLATOR[0], "automatic-speech-recognition-with-past"),
                {"suppress_tokens": None, "begin_suppress_tokens": None, "pad_token_id": 0,
                 "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 3}),
    "wav2vec2": ("Wav2Vec2", ("ForCTC", "automatic-speech-recognition"), {"vocab_size": 32}),
    "vit": ("ViT", CLASSIFIER, {}),
    "deit": ("DeiT", CLASSIFIER, {}),
    "beit": ("Beit", CLASSIFIER, {"vocab_size": 8192}),
    "dinov2": ("Dinov2", CLASSIFIER, {"image_size": 224}),
    "swin": ("Swin", CLASSIFIER, {"hidden_size": None}),
    "swinv2": ("Swinv2", CLASSIFIER, {"hidden_size": None, "image_size": 256, "window_size": 8}),
    "convnext": ("ConvNext", CLASSIFIER, {}),
    "resnet": ("ResNet", CLASSIFIER, {}),
    "levit": ("Levit", CLASSIFIER, {}),
    "poolformer": ("PoolFormer", CLASSIFIER, {}),
    "segformer": ("Segformer", ("ForSemanticSegmentation", "semantic-segmentation"), {}),
    "yolos": ("Yolos", ("ForObjectDetection", "object-detection"), {"image_size": [224, 224]}),
}
# These say their sizes in lists.
UNSIZED = ("swin", "swinv2", "convnext", "resnet", "levit", "poolformer", "segformer")

PACKAGES = {
    "programs": ("torch", "onnxscript", "transformers", "onnx", "onnxruntime"),
    "tracing": ("torch", "transformers", "onnx", "onnxruntime"),
    "optimum": ("torch", "transformers", "optimum", "onnx", "onnxruntime"),
}


def make_config(family, options):
    """The configuration of a model of base width with few layers."""
    import transformers
    prefix, _, more = FAMILIES[family]
    make = getattr(transformers, prefix + "Config")
    heads = max(1, options.width // 64)
    sizes = {"width": options.width, "layers": options.layers, "heads": heads,
             "inner": 4 * options.width, "groups": max(1, heads // 4), "words": NUM_WORDS}
    default = make().to_dict()  # without other names of the same
    values = {} if family in UNSIZED else {
        name: sizes[kind] for kind, names in CONFIGURED.items() for name in names
        if name in default and not hasattr(default[name], "__len__")}
    values.update(more)
    if "word_embed_proj_dim" in values:
        values["word_embed_proj_dim"] = options.width
    return make(**{name: value for name, value in values.items()
                   if value is not None or not name.endswith(("_size", "_heads"))})


def make_model(family, options):
    import torch
    import transformers
    prefix, (suffix, _), _ = FAMILIES[family]
    torch.manual_seed(0)
    return getattr(transformers, prefix + suffix)(make_config(family, options)).eval()


def make_arguments(family, model):
    """Inputs of a whole model: words, an image, or both sides of a translation."""
    import torch
    generator = torch.Generator().manual_seed(1)
    words = torch.randint(5, NUM_WORDS - 1, (1, 128), generator=generator)
    task = FAMILIES[family][1][1]
    if "speech" in task:
        if hasattr(model.config, "num_mel_bins"):
            return {"input_features": torch.randn(1, model.config.num_mel_bins, 3000,
                                                  generator=generator),
                    "decoder_input_ids": words}
        return {"input_values": torch.randn(1, 16000, generator=generator)}
    if not task.startswith(("feature", "text")):
        size = getattr(model.config, "image_size", 224)
        size = size if isinstance(size, int) else size[0]
        return {"pixel_values": torch.randn(1, 3, size, size, generator=generator)}
    arguments = {"input_ids": words, "attention_mask": torch.ones_like(words)}
    return {**arguments, "decoder_input_ids": words} if task.startswith("text2text") else arguments


def export_with_torch(family, options, scratch, by_programs):
    """The only part: the whole model, with sequences of any length."""
    import torch
    model = make_model(family, options)
    model.config.use_cache = False
    if not by_programs:
        model.config.return_dict = False
    arguments = make_arguments(family, model)
    axes = {name: {1: "length"} for name in arguments if name.endswith(("_ids", "_mask"))}
    file = scratch / "model.onnx"
    if by_programs:
        shapes = {name: {axis: torch.export.Dim.DYNAMIC for axis in axes.get(name, {})}
                  for name in arguments}
        torch.onnx.export(model, (), str(file), kwargs=arguments, dynamo=True,
                          dynamic_shapes=shapes, external_data=False, verbose=False)
    else:
        torch.onnx.export(model, (arguments,), str(file), dynamo=False, opset_version=17,
                          input_names=list(arguments), dynamic_axes=axes)
    fixed = {name: value.numpy() for name, value in arguments.items()}
    return [("", file, fixed)]


def export_with_optimum(family, options, scratch):
    """As many parts as the task has, of those that are merged with and without a cache."""
    from optimum.exporters.onnx import main_export
    make_model(family, options).save_pretrained(scratch / "weights")
    main_export(str(scratch / "weights"), str(scratch / "onnx"), task=FAMILIES[family][1][1],
                do_validation=False, framework="pt", library_name="transformers",
                local_files_only=True)
    parts = []
    for file in sorted((scratch / "onnx").glob("*.onnx")):
        part = "" if file.stem == "model" else "_" + file.stem
        for branch in ((False, True) if "merged" in file.stem else (None,)):
            fixed = {} if branch is None else {"use_cache_branch": [branch]}
            parts.append((part + ("_cached" if branch else ""), file, fixed))
    return parts


EXPORTERS = {
    "programs": lambda *arguments: export_with_torch(*arguments, by_programs=True),
    "tracing": lambda *arguments: export_with_torch(*arguments, by_programs=False),
    "optimum": export_with_optimum,
}


def optimise(level):
    def apply(source, target, _):
        import onnxruntime
        session = onnxruntime.SessionOptions()
        session.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
        session.optimized_model_filepath = str(target)
        onnxruntime.InferenceSession(str(source), session, providers=["CPUExecutionProvider"])
    return apply


def fuse(kind, in_half=False):
    """As ONNX Runtime's optimiser of transformers does, which knows kinds of them."""
    def apply(source, target, options):
        from onnxruntime.transformers import optimizer
        model = optimizer.optimize_model(str(source), model_type=kind, opt_level=0,
                                         num_heads=options.width // 64,
                                         hidden_size=options.width)
        if in_half:
            model.convert_float_to_float16(keep_io_types=False)
        model.save_model_to_file(str(target))
    return apply


def halve(source, target, _):
    import onnx
    from onnxruntime.transformers import float16
    onnx.save(float16.convert_float_to_float16(onnx.load(str(source))), str(target))


def quantise_dynamically(**settings):
    def apply(source, target, _):
        from onnxruntime.quantization import quantize_dynamic
        quantize_dynamic(str(source), str(target), **settings)
    return apply


def quantise_statically(format_name, activations="QUInt8"):
    def apply(source, target, _):
        from onnxruntime import quantization

        class OneRun(quantization.CalibrationDataReader):
            def __init__(self):
                self.runs = iter([read_inputs(source.parent)])

            def get_next(self):
                return next(self.runs, None)
        quantization.quantize_static(
            str(source), str(target), OneRun(),
            quant_format=getattr(quantization.QuantFormat, format_name),
            activation_type=getattr(quantization.QuantType, activations),
            extra_options={"UseQDQContribOps": "16" in activations})
    return apply


def quantise_blocks(**settings):
    def apply(source, target, _):
        import onnx
        from onnxruntime.quantization import matmul_nbits_quantizer
        quantiser = matmul_nbits_quantizer.MatMulNBitsQuantizer(onnx.load(str(source)), **settings)
        quantiser.process()
        quantiser.model.save_model_to_file(str(target))
    return apply


# Tool: what it does, and behind which exports, as patterns.
TOOLS = {
    "basic": (optimise("ORT_ENABLE_BASIC"), ("bert_optimum", "gpt2_optimum", "llama_optimum")),
    "extended": (optimise("ORT_ENABLE_EXTENDED"), ("bert_optimum", "gpt2_optimum",
                                                   "llama_optimum", "t5_optimum")),
    "fused_bert": (fuse("bert"), ("bert_*", "distilbert_optimum", "roberta_optimum")),
    "fused_gpt2": (fuse("gpt2"), ("gpt2_optimum",)),
    "fused_half": (fuse("gpt2", in_half=True), ("gpt2_optimum",)),
    "fused_vit": (fuse("vit"), ("vit_optimum", "deit_optimum")),
    "fused_bart": (fuse("bart"), ("bart_optimum", "whisper_optimum")),
    "half": (halve, ("bert_optimum", "gpt2_optimum", "vit_optimum", "t5_optimum")),
    "dynamic": (quantise_dynamically(), ("bert_*", "gpt2_optimum", "llama_optimum", "t5_optimum",
                                         "whisper_optimum")),
    "dynamic_columns": (quantise_dynamically(per_channel=True, reduce_range=True),
                        ("bert_optimum",)),
    "qdq": (quantise_statically("QDQ"), ("bert_optimum", "vit_optimum", "resnet_*")),
    "qdq16": (quantise_statically("QDQ", "QUInt16"), ("bert_optimum", "resnet_optimum")),
    "operators": (quantise_statically("QOperator"), ("bert_optimum", "resnet_optimum")),
    "4bits": (quantise_blocks(block_size=32, is_symmetric=True),
              ("bert_optimum", "llama_optimum", "t5_optimum")),
    "4bits_rounded": (quantise_blocks(block_size=128, is_symmetric=False, accuracy_level=4),
                      ("bert_optimum", "llama_optimum")),
}


def read_inputs(folder):
    import onnx
    inputs = {}
    for file in sorted((folder / "test_data_set_0").glob("input_*.pb")):
        tensor = onnx.load_tensor(str(file))
        inputs[tensor.name] = onnx.numpy_helper.to_array(tensor)
    return inputs


def get_extent(dimension, is_step):
    """A number of what an exporter calls it, such as past_sequence_length + 1."""
    if isinstance(dimension, int):
        return dimension
    known = {"batch_size": 1, "num_channels": 3, "height": 224, "width": 224}
    extent = 0
    for term in str(dimension).split("+"):
        term = term.strip()
        is_long = "past" in term or "encoder" in term and "decoder" not in term or not is_step
        extent += int(term) if term.isdigit() else known.get(term, 128 if is_long else 1)
    return extent


def make_input(tensor, is_step, random):
    import numpy
    shape = [get_extent(dimension, is_step) for dimension in tensor.shape]
    if tensor.name == "input_values":  # samples of sound
        shape[-1] = 16000
    if tensor.type in ("tensor(int64)", "tensor(int32)"):
        kind = numpy.dtype(tensor.type[7:-1])
        if "mask" in tensor.name:
            return numpy.ones(shape, kind)
        if "position" in tensor.name:
            return numpy.broadcast_to(numpy.arange(shape[-1], dtype=kind), shape).copy()
        return random.integers(0, 2 if "type" in tensor.name else NUM_WORDS - 1, shape, kind)
    if tensor.type == "tensor(bool)":
        return numpy.ones(shape, bool)
    kind = numpy.float16 if tensor.type == "tensor(float16)" else numpy.float32
    return (0.5 * random.standard_normal(shape)).astype(kind)


def write_data(folder, fixed):
    """Inputs of one run and its results, by ONNX Runtime without what it fuses."""
    import numpy
    import onnx
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options,
                                           providers=["CPUExecutionProvider"])
    random = numpy.random.default_rng(2)
    is_step = any("past" in tensor.name for tensor in session.get_inputs())
    feed = {tensor.name: numpy.asarray(fixed[tensor.name]) if tensor.name in fixed
            else make_input(tensor, is_step, random) for tensor in session.get_inputs()}
    results = dict(zip([tensor.name for tensor in session.get_outputs()], session.run(None, feed)))
    data = folder / "test_data_set_0"
    data.mkdir(exist_ok=True)
    for kind, arrays in (("input", feed), ("output", results)):
        for index, (name, array) in enumerate(arrays.items()):
            tensor = onnx.numpy_helper.from_array(numpy.ascontiguousarray(array), name)
            (data / f"{kind}_{index}.pb").write_bytes(tensor.SerializeToString())


def finish(folder, make, fixed):
    """Makes a model in a folder that is there only when all of it is."""
    if folder.exists():
        return
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as unfinished:
        path = pathlib.Path(unfinished) / "made"
        path.mkdir()
        make(path / "model.onnx")
        write_data(path, fixed)
        path.rename(folder)


def find_parts(folder, source):
    return [path for path in sorted(folder.glob(source + "*")) if "+" not in path.name]


def export(family, exporter, folder, options):
    if find_parts(folder, f"{family}_{exporter}"):
        return
    with tempfile.TemporaryDirectory() as scratch:
        for part, file, fixed in EXPORTERS[exporter](family, options, pathlib.Path(scratch)):
            finish(folder / f"{family}_{exporter}{part}",
                   lambda target, source=file: shutil.copy(source, target), fixed)


def apply_tool(source, tool, folder, options):
    """To all parts of the export."""
    parts = find_parts(folder, source)
    if not parts:
        raise RuntimeError(f"{source} is not there")
    for path in parts:
        fixed = {name: value for name, value in read_inputs(path).items()
                 if name == "use_cache_branch"}
        finish(folder / f"{path.name}+{tool}",
               lambda target, model=path / "model.onnx": TOOLS[tool][0](model, target, options),
               fixed)


def list_jobs(options):
    """Name, packages, and what makes the model. Tools come behind all exports."""
    exports = [(f"{family}_{exporter}", family, exporter)
               for family in FAMILIES for exporter in EXPORTERS]
    jobs = [(name, PACKAGES[exporter], export, (family, exporter))
            for name, family, exporter in exports]
    for tool, (_, patterns) in TOOLS.items():
        for name, _, exporter in exports:
            if any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
                jobs.append((f"{name}+{tool}", ("onnx", "onnxruntime"), apply_tool, (name, tool)))
    wanted = options.patterns or ["*"]
    return [job for job in jobs if any(fnmatch.fnmatch(job[0], word) for word in wanted)]


def describe(error):
    return f"{type(error).__name__}: " + re.sub(r"\s+", " ", str(error))[:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("patterns", nargs="*", help="of FAMILY_EXPORTER or FAMILY_EXPORTER+TOOL")
    parser.add_argument("--width", type=int, default=768, help="a multiple of 64")
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--list", action="store_true", help="print the names alone")
    options = parser.parse_args()
    jobs = list_jobs(options)
    if options.list:
        print("\n".join(name for name, *_ in jobs))
        return
    os.environ["HF_HUB_OFFLINE"] = "1"
    warnings.filterwarnings("ignore")
    options.folder.mkdir(parents=True, exist_ok=True)
    counts = {"made": 0, "skipped": 0, "refused": 0}
    for name, packages, make, arguments in jobs:
        absent = [package for package in packages if importlib.util.find_spec(package) is None]
        if absent:
            outcome = f"skipped {name}: not installed: {', '.join(absent)}"
        else:
            try:
                make(*arguments, options.folder, options)
                outcome = f"made {name}"
            except Exception as error:  # exporters raise anything
                outcome = f"refused {name}: {describe(error)}"
        counts[outcome.split()[0]] += 1
        print(outcome, flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))


if __name__ == "__main__":
    main()
