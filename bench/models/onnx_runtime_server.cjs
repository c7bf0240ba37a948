// Usage: node onnx_runtime_server.cjs MODEL.onnx THREADS NAME=TYPE:DIMS:FILE...
// The same as model_server.cpp, with ONNX Runtime's CPU provider (npm's onnxruntime-node, found from
// the current directory). Clients run at the same time as pending promises.

const fs = require('fs');
const readline = require('readline');
const ort = require(require.resolve('onnxruntime-node', { paths: [process.cwd()] }));

const arrayTypes = {
  float32: Float32Array, float64: Float64Array, int64: BigInt64Array, int32: Int32Array,
  uint8: Uint8Array, int8: Int8Array, bool: Uint8Array,
};

function readInput(word) {
  const equals = word.lastIndexOf('=');
  const [type, dims, ...file] = word.slice(equals + 1).split(':');
  const bytes = fs.readFileSync(file.join(':'));
  const memory = new ArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  const shape = dims === '' ? [] : dims.split('x').map(Number);
  return [word.slice(0, equals), new ort.Tensor(type, new arrayTypes[type](memory), shape)];
}

async function run(session, feeds, count) {
  const times = [];
  for (let i = 0; i < count; ++i) {
    const begin = process.hrtime.bigint();
    await session.run(feeds);
    times.push(Number(process.hrtime.bigint() - begin) / 1e3);
  }
  return times;
}

async function main() {
  const [model, threads, ...words] = process.argv.slice(2);
  const feeds = Object.fromEntries(words.map(readInput));
  const begin = process.hrtime.bigint();
  const session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: Number(threads), interOpNumThreads: 1, graphOptimizationLevel: 'all',
    logSeverityLevel: 3 });
  const load_ms = Number(process.hrtime.bigint() - begin) / 1e6;
  await run(session, feeds, 1);
  const peak_mb = process.resourceUsage().maxRSS * 1024 / 1e6;
  console.log(JSON.stringify({ load_ms, peak_mb }));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [count, clients] = line.split(' ').map(Number);
    const start = process.hrtime.bigint();
    const all = await Promise.all(
      Array.from({ length: clients }, () => run(session, feeds, count)));
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    console.log(JSON.stringify({ seconds, us: all.flat() }));
  }
}

main().catch(error => { console.error(String(error)); process.exit(1); });
