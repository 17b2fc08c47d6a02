import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Config, ConfigError, withoutMark, misspeltSettings } from './config.js';

/** File with settings in the working directory. */
export const ENV_FILE = '.env';

/**
 * Reads the settings of this process from its environment, and from `.env` in the working directory for
 * variables that the environment lacks.
 * @throws ConfigError with all problems at once
 */
export function loadConfig(overrides: Record<string, string> = {}): Config {
  for (const [name, value] of Object.entries(readEnvFile())) process.env[name] ??= value;
  return Config.from({ ...process.env, ...overrides });
}

/** Returns a copy of the variables of this process. */
export function environment(): Record<string, string | undefined> {
  return { ...process.env };
}

/** Returns a sentence for each variable that looks like a misspelt setting. */
export function doubtfulSettings(): string[] {
  return misspeltSettings(process.env);
}

function readEnvFile(): Record<string, string | undefined> {
  return parseEnv(readEnvText());
}

/**
 * Returns the text of `.env`; empty if the file is not there.
 * @throws ConfigError for a file that is not text in UTF-8, as some editors on Windows save it
 */
export function readEnvText(): string {
  if (!existsSync(ENV_FILE)) return '';
  const text = withoutMark(readFileSync(ENV_FILE, 'utf8'));
  if (text.includes('\0') || text.includes('\uFFFD'))
    throw new ConfigError([`${ENV_FILE} is not UTF-8 text. Save it as UTF-8.`]);
  return text;
}
