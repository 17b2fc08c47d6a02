import { createApp } from './app.js';
import { loadConfig } from './config/load-config.js';
import { explainFailure } from './start-failure.js';
import { Welcome } from './welcome.js';

// What visitors sent is for the user of this process alone.
process.umask(0o077);

try {
  const config = loadConfig();
  const app = await createApp(config);
  if (config.workers === 'only') await app.init();
  else await app.listen(config.port, config.host);
  await app.get(Welcome).say();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
