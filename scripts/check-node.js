// It imports nothing that an old Node lacks, since it runs before everything else.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const wanted = engines.node.replace('>=', '');
const have = process.version.replace('v', '');

if (isOlder(have, wanted)) {
  process.stderr.write(
    `This is Node ${have}; the service needs Node ${wanted} or newer.\n` +
      'Install the current LTS release, from https://nodejs.org or your version manager, then run: npm ci && npm start\n',
  );
  process.exit(1);
}

function isOlder(version, than) {
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = than.split('.').map(Number);
  return major === leastMajor ? minor < leastMinor : major < leastMajor;
}
