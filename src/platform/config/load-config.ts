import { existsSync } from 'node:fs';
import { Config } from './config.js';
import { misspeltSettings } from './misspelt.js';

const ENV_FILE = '.env';

/**
 * The settings of this process: its environment, and `.env` in the working directory for what the
 * environment leaves open.
 * @throws ConfigError with all problems at once
 */
export function loadConfig(overrides: Record<string, string> = {}): Config {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return Config.from({ ...process.env, ...overrides });
}

/** Tells of variables that look like settings and are none, a sentence each. */
export function doubtfulSettings(): string[] {
  return misspeltSettings(process.env);
}
