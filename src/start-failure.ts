import { ConfigError, type Config } from './platform/index.js';
import { DatabaseRefused } from './platform/database/index.js';

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
export function explainFailure(error: unknown, config: Config | null = null, what = 'The service could not start') {
  if (error instanceof ConfigError || error instanceof DatabaseRefused) return error.message;
  const { code = '', message = String(error), syscall, port, path } = error as SystemError;
  if (syscall === 'getaddrinfo' && config && message.endsWith(` ${config.host}`))
    return `HOST ${config.host} is not an address or a name of this machine (${code}). Set HOST to 0.0.0.0 to listen on all addresses.`;
  if (syscall === 'listen') return explainListening(code, port, config) ?? `${what}: ${message}`;
  if (code === 'ERR_DLOPEN_FAILED' || message.startsWith('Could not locate the bindings file'))
    return `The embedded database has no program for Node ${process.version} on this machine. Install g++, make and python3, run npm rebuild better-sqlite3 where the service is installed (newer versions of npm want its install script to be approved first), or set DATABASE_URL to a MySQL or MariaDB server.`;
  const folder = `DATA_DIR (${config?.dataDir ?? path ?? 'unknown'})`;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return `This user cannot write to ${folder} (${code}). Change its permissions, or set DATA_DIR to another folder.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${folder} is not a folder, or a parent of it is a file. Set DATA_DIR to a folder that exists or can be created.`;
    case 'ENOSPC':
    case 'SQLITE_FULL':
      return `The disk of ${folder} is full. Free some space.`;
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT': {
      const file = config?.database.kind === 'embedded' ? config.database.file : folder;
      return `${file} is damaged or not a database of this service (${code}). Move it away and restore a backup.`;
    }
    default:
      return `${what}: ${message}`;
  }
}

function explainListening(code: string, port: number | undefined, config: Config | null) {
  const setting = settingOf(port, config);
  if (code === 'EADDRINUSE') {
    return `Another program uses ${setting} ${port}. Stop it, or set ${setting} to another port.`;
  }
  if (code === 'EACCES') {
    const advice = config?.tls.isOn
      ? `, and forward port ${port} to it. Or let this user listen there: under systemd by AmbientCapabilities=CAP_NET_BIND_SERVICE`
      : '';
    return `This user cannot use ${setting} ${port}. Set ${setting} to 1024 or higher${advice}.`;
  }
  if (code !== 'EADDRNOTAVAIL') return null;
  return 'HOST is not an address of this machine. Set it to 0.0.0.0 to listen on all addresses.';
}

/** Returns the setting that names the port. */
function settingOf(port: number | undefined, config: Config | null): string {
  if (port === undefined || !config) return 'PORT';
  if (port === config.metricsPort) return 'METRICS_PORT';
  return port === config.tls.httpPort ? 'HTTP_PORT' : 'PORT';
}
