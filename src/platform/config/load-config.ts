import { existsSync } from 'node:fs';
import { Config } from './config.js';
import { misspeltSettings } from './misspelt.js';

const ENV_FILE = '.env';

/**
 * Reads the settings of this process from its environment, and from `.env` in the working directory for
 * variables that the environment lacks.
 * @throws ConfigError with all problems at once
 */
export function loadConfig(overrides: Record<string, string> = {}): Config {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return Config.from({ ...process.env, ...overrides });
}

/** Returns a sentence for each variable that looks like a misspelt setting. */
export function doubtfulSettings(): string[] {
  return misspeltSettings(process.env);
}
