import { Config, ConfigError } from '../../src/platform/config/config.js';

/** Returns what is wrong with settings. */
export function problemsOf(environment: Record<string, string>): string[] {
  try {
    Config.from(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
