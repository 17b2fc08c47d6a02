import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';

/** Holds openapi.json against the rules that Redocly and Spectral recommend; a warning fails too. */
const FILE = 'openapi.json';
const source = readFileSync(new URL(`../${FILE}`, import.meta.url), 'utf8');

const redocly = await lintFromString({
  source,
  absoluteRef: FILE,
  config: await createConfig({ extends: ['recommended'] }),
});
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [oas] });

const problems = [
  ...redocly.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer ?? '']),
  ...(await spectral.run(source)).map(({ code, message, path }) => [code, message, path.join('/')]),
];
for (const [rule, message, place] of problems) {
  console.log(`${FILE} ${place}: ${message} (${rule})`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
