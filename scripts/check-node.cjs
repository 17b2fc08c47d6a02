'use strict';
// Any Node can read this file: it runs before anything that an old one fails at.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an old Node knows no import
var wanted = require('../package.json').engines.node.replace('>=', '');
var have = process.version.replace('v', '');

function isOlder(a, b) {
  var x = a.split('.').map(Number);
  var y = b.split('.').map(Number);
  return x[0] !== y[0] ? x[0] < y[0] : x[1] < y[1];
}

if (isOlder(have, wanted)) {
  process.stderr.write(
    'This is Node ' +
      have +
      '; the service needs Node ' +
      wanted +
      ' or newer.\n' +
      'Install the current LTS release, from https://nodejs.org or your version manager, then run: npm ci && npm start\n',
  );
  process.exit(1);
}
