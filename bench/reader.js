/** Reads one answer as fast as it comes, in a thread of its own: its work is no part of what others measure. */
import { parentPort, workerData } from 'node:worker_threads';

const { url, token } = workerData;
const start = performance.now();
const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
let bytes = 0;
for await (const chunk of response.body) bytes += chunk.length;
parentPort.postMessage({ bytes, seconds: (performance.now() - start) / 1000 });
