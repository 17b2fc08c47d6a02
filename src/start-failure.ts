import { ConfigError } from './config/config.js';
import { DatabaseRefused } from './database/data-source.js';

/** Why the service could not start and what to do about it, in sentences for its operator. */
export function explainFailure(error: unknown): string {
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
      return `The service could not start: ${message}`;
  }
}
