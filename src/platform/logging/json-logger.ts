import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { QueryFailedError } from 'typeorm';
import { fstatSync, writeSync } from 'node:fs';

/** Contexts of the framework's own lines, which are not logged; `main.ts` explains a failed start. */
const FRAMEWORK = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'ExceptionHandler',
  'TypeOrmModule',
]);

/**
 * Writes one JSON object a line: `level`, `time`, `context`, `message` and further fields, which callers pass as an
 * object: `logger.log('Migrated', { migrations })`. A field `error` is reduced to the parts that may be logged.
 */
export class JsonLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(level: string, destination: DestinationStream) {
    const options = {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.pino = pino(options, destination);
  }

  log(message: unknown, ...rest: unknown[]) {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]) {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]) {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]) {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]) {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]) {
    this.write('fatal', message, rest);
  }

  /** Writes a line. Nest's Logger passes its context as the last string. */
  private write(level: Level, message: unknown, rest: unknown[]) {
    if (!this.pino.isLevelEnabled(level)) return;
    const context = rest.findLast((item) => typeof item === 'string');
    const fields: { context?: string; error?: unknown } = { context };
    for (const item of rest) if (typeof item === 'object') Object.assign(fields, item);
    if (message instanceof Error) fields.error = message;
    if (fields.error !== undefined) fields.error = describeError(fields.error);
    const effective = FRAMEWORK.has(context ?? '') ? 'debug' : level;
    const text = message instanceof Error ? 'Failed' : String(message);
    this.pino[effective](fields, text);
  }
}

/**
 * Returns the parts of an error that may be logged. Messages and parameters of database errors repeat
 * visitors' values, so only the driver's code and the stack's places are kept of them.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code } = error as Error & { code?: unknown };
  const place = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const fromDatabase = error instanceof QueryFailedError || 'sqlMessage' in error;
  return {
    name,
    ...(typeof code === 'string' && { code }),
    ...(!fromDatabase && { message: error.message }),
    at: place.slice(0, 12).map((line) => line.trim()),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** Most bytes that wait for a slow reader of the log; some 5,000 lines. */
const WAITING_MAX_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/**
 * Writes the log to the standard output without waiting. A line that cannot be written now, to a full disk
 * or a pipe that nobody reads, is dropped and counted.
 */
class LogOutput implements DestinationStream {
  /** Lines that were lost since the start. */
  lost = 0;
  private readonly fd = process.stdout.fd;
  /** Whether the output is a file, to which Node writes synchronously. */
  private readonly toFile = isFile(this.fd);
  /** Whether the last line was written in part. */
  private cut = false;

  constructor() {
    // Without a listener a failed write would end the process.
    process.stdout.on('error', () => undefined);
  }

  write(line: string) {
    if (!(this.toFile ? this.writeToFile(line) : this.writeToStream(line))) this.lost++;
  }

  /** Writes to a file without Node's stream, which fails for good with its first error. */
  private writeToFile(line: string) {
    const bytes = Buffer.from(this.cut ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.fd, bytes, written);
      this.cut = false;
      return true;
    } catch {
      if (written > 0) this.cut = bytes[written - 1] !== LINE_FEED;
      return false;
    }
  }

  private writeToStream(line: string) {
    const { stdout } = process;
    if (stdout.writableLength > WAITING_MAX_BYTES) return false;
    stdout.write(line, this.written);
    return true;
  }

  private readonly written = (error?: Error | null): void => {
    if (error) this.lost++;
  };
}

/** Tells whether the descriptor is a file, or a device such as /dev/null, which behaves like one. */
function isFile(fd: number) {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !process.stdout.isTTY);
  } catch {
    return false;
  }
}

/** The log of this process. */
export const logOutput = new LogOutput();
