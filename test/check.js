import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { buildClient } from './runner/client.js';

/** Scripts of package.json that must pass beside the tests and look at files alone; the longest come first. */
const OF_SOURCES = [
  'lint',
  'format:check',
  'lint:openapi',
  'lint:client',
  'boundaries',
  'unused',
  'check:deploy',
  'settings:check',
  'mutants',
];
/** `--sources` leaves out what runs the program. */
const checks = process.argv.includes('--sources') ? OF_SOURCES : ['check:built', ...OF_SOURCES];

/** Runs a script. @returns whether it passed; what it said is printed once it has ended, in one piece */
async function passes(name) {
  const begin = performance.now();
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = Math.round((performance.now() - begin) / 1_000);
  console.log(code === 0 ? `${name}: passed, ${seconds} s` : `${said}${name}: failed`);
  return code === 0;
}

/** Takes one check after another until none is left or one has failed. */
async function takeTurns() {
  while (checks.length > 0) {
    if (await passes(checks.shift())) continue;
    checks.length = 0;
    process.exitCode = 1;
  }
}

// Once for all steps that read it.
buildClient();
await Promise.all(Array.from({ length: availableParallelism() }, takeTurns));
