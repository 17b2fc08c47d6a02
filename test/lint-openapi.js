import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync } from 'node:fs';

/** Holds openapi.json against the rules that Redocly recommends; a warning fails too. */
const FILE = 'openapi.json';
const source = readFileSync(new URL(`../${FILE}`, import.meta.url), 'utf8');

const problems = await lintFromString({
  source,
  absoluteRef: FILE,
  config: await createConfig({ extends: ['recommended'] }),
});

for (const { ruleId, message, location } of problems) {
  console.log(`${FILE} ${location[0]?.pointer ?? ''}: ${message} (${ruleId})`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
