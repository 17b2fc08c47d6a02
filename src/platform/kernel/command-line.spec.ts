import { commandLineOf } from './command-line.js';

it.each([
  ['/home/ann/forms/', true, 'npm run cli --'],
  ['/usr/lib/node_modules/form-collection-service/', false, 'form-collection-service'],
  ['/root/.npm/_npx/1f2e/node_modules/form-collection-service/', false, 'npx form-collection-service'],
  ['/app/', false, 'docker compose exec service form-collection-service'],
])('The command line is called where %s is: %s', (folder, isCheckout, words) => {
  expect(commandLineOf(folder, isCheckout)).toBe(words);
});
