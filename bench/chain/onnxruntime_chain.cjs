// The same chain with ONNX Runtime: onnxruntime_chain.cjs MODULE MODEL LAYERS ELEMENTS. Prints
// microseconds.
const [modulePath, model, layers, elements] = process.argv.slice(2);
const ort = require(modulePath);

async function main() {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'all' };
  const session = await ort.InferenceSession.create(model, options);
  const data = new Float32Array(Number(elements)).fill(1);
  const feeds = { x: new ort.Tensor('float32', data, [1, data.length]) };
  const times = [];
  for (let run = -200; run < 2000; ++run) {
    const start = process.hrtime.bigint();
    await session.run(feeds);
    if (run >= 0) times.push(Number(process.hrtime.bigint() - start) / 1e3);
  }
  times.sort((a, b) => a - b);
  console.log(`us ${times[times.length >> 1].toFixed(4)} layers ${layers}`);
}

main();
