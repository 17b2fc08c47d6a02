/** The programs under measurement: started, awaited, watched by what Linux says of them, and stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/private-server.js';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 5;
/** Unit of the times in `/proc/PID/stat` (`sysconf(_SC_CLK_TCK)`, 100 on every Linux). */
const TICKS_PER_SECOND = 100;

/** More requests than a minute has room for. */
const MANY = '10000000';

/** As `npm start` and the image give them to Node. */
const FLAGS = ['--v8-pool-size=1'];

/** Token of the account that the service opens; every contender knows it. */
export const TOKEN = 'the-token-of-the-benchmark';

/**
 * The service as the built program.
 * @param folder its DATA_DIR
 * @param url its database; undefined for the embedded one
 * @param flags of Node besides
 * @param more of its environment
 * @param program of another build
 */
export function startService(folder, url, flags = [], more = {}, program = '../dist/main.js') {
  const environment = {
    // A build before the last migration may be the one to compare with.
    NEWER_DATABASE: 'allow',
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    BOOTSTRAP_TOKEN: TOKEN,
    // All requests come from one address with one token; they are counted all the same.
    RATE_LIMIT_ADDRESS: MANY,
    RATE_LIMIT_FORM: MANY,
    RATE_LIMIT_TOKEN: MANY,
    // A database without a backup gets one soon after the start.
    BACKUP_SCHEDULE: 'off',
    ...(url && { DATABASE_URL: url }),
    ...more,
  };
  return startProgram(program, '/health/ready', environment, [...FLAGS, ...flags]);
}

/**
 * @param file to be run by Node, relative to this one
 * @param path to ask for until it answers without a failure of the server
 * @param environment what it gets besides PATH and PORT
 * @param flags of Node
 * @returns {Promise<{url: string, port: number, pid: number, startMs: number, stop: () => Promise<void>, kill: () => Promise<void>}>}
 */
export async function startProgram(file, path, environment, flags = []) {
  const port = await freePort();
  const begin = performance.now();
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...flags, program], {
    env: { PATH: process.env.PATH, PORT: String(port), ...environment },
    cwd: tmpdir(), // away from a developer's .env
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let stopping = false;
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (!stopping) console.error(`${file} ended by itself: code ${code}, signal ${signal}.`);
  });
  const url = `http://127.0.0.1:${port}`;
  const end = async (signal) => {
    stopping = true;
    child.kill(signal);
    await ended;
    process.off('exit', kill);
  };
  while ((await statusOf(url + path)) >= 500) {
    if (child.exitCode !== null) throw new Error(`${file} did not start; was it built?`);
    if (performance.now() - begin > START_TIMEOUT_MS) throw new Error(`${file} does not answer.`);
    await pause(POLL_MS);
  }
  return {
    url,
    port,
    pid: child.pid,
    startMs: performance.now() - begin,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Returns the resident memory of a process in bytes. */
export async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** Returns the seconds of processor time that a process has used so far. */
export async function cpuOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

/**
 * Calls the API of a contender.
 * @param token by default that of its account
 * @throws when it answers with an error
 */
export async function call(url, method, path, body, token = TOKEN) {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

function statusOf(url) {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    }).on('error', () => resolve(Infinity));
  });
}
