import { ConfigError } from './config/config.js';
import { DatabaseRefused } from './database/data-source.js';

/**
 * What failed, why, and what to do about it, in sentences for the operator.
 * @param what begins the sentence when the error is none of those that a start meets
 */
export function explainFailure(error: unknown, what = 'The service could not start'): string {
  if (error instanceof ConfigError || error instanceof DatabaseRefused) return error.message;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  switch (code) {
    case 'EADDRINUSE':
      return 'PORT or METRICS_PORT is taken by another program; stop it or set another one.';
    case 'EADDRNOTAVAIL':
      return 'HOST is not an address of this machine; set it to 0.0.0.0 to listen on all.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return `DATA_DIR cannot be written or PORT may not be used (${code}); set them to what this user may use.`;
    default:
      return `${what}: ${message}`;
  }
}
