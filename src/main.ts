import { Logger } from '@nestjs/common';
import { createApp, listen } from './app.js';
import { type Config, doubtfulSettings, loadConfig } from './platform/index.js';
import { explainFailure } from './start-failure.js';
import { StartBanner } from './start-banner.js';

// Files with what visitors sent are readable by the user of this process alone.
process.umask(0o077);

let config: Config | null = null;
try {
  config = loadConfig();
  const app = await createApp(config);
  for (const doubt of doubtfulSettings()) new Logger('Settings').warn(doubt);
  if (config.deliveries.workers === 'only') await app.init();
  else await listen(app, config);
  await app.get(StartBanner).print();
} catch (error) {
  process.stderr.write(`${explainFailure(error, config)}\n`);
  process.exit(1);
}
