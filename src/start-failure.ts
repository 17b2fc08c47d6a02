import { ConfigError, type Config } from './platform/config/config.js';
import { DatabaseRefused } from './platform/database/data-source.js';

/** The properties that Node sets on errors of the system, each only on some. */
interface SystemError {
  code?: string;
  message?: string;
  syscall?: string;
  port?: number;
  path?: string;
}

/**
 * Returns what failed, why, and what to do about it, in sentences for the operator.
 * @param config the settings, as far as they could be read
 * @param what begins the sentence for an error that is not listed here
 */
export function explainFailure(
  error: unknown,
  config: Config | null = null,
  what = 'The service could not start',
): string {
  if (error instanceof ConfigError || error instanceof DatabaseRefused) return error.message;
  const { code = '', message = String(error), syscall, port, path } = error as SystemError;
  if (syscall === 'getaddrinfo' && config && message.endsWith(` ${config.host}`))
    return `HOST ${config.host} is no address and no name of this machine (${code}); set it to 0.0.0.0 to listen on all.`;
  if (syscall === 'listen') return explainListening(code, port, config) ?? `${what}: ${message}`;
  const folder = `DATA_DIR (${config?.dataDir ?? path ?? 'unknown'})`;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return `${folder} cannot be written by this user (${code}); let it write there, or name another folder.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${folder} is not a folder, or one above it is a file; name a folder that is there or can be made.`;
    case 'ENOSPC':
    case 'SQLITE_FULL':
      return `${folder} is on a disk that is full; make room.`;
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT': {
      const file = config?.database.kind === 'embedded' ? config.database.file : folder;
      return `${file} is damaged or not a database of this service (${code}); move it away and restore a backup.`;
    }
    default:
      return `${what}: ${message}`;
  }
}

function explainListening(
  code: string,
  port: number | undefined,
  config: Config | null,
): string | null {
  const setting = port !== undefined && port === config?.metricsPort ? 'METRICS_PORT' : 'PORT';
  if (code === 'EADDRINUSE') {
    return `${setting} ${port} is taken by another program; stop it, or set ${setting} to another one.`;
  }
  if (code === 'EACCES') {
    return `${setting} ${port} may not be used by this user; set ${setting} to one from 1024.`;
  }
  if (code !== 'EADDRNOTAVAIL') return null;
  return 'HOST is not an address of this machine; set it to 0.0.0.0 to listen on all.';
}
