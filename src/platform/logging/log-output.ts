import type { DestinationStream } from 'pino';
import { fstatSync, writeSync } from 'node:fs';

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

  write(line: string): void {
    if (!(this.toFile ? this.writeToFile(line) : this.writeToStream(line))) this.lost++;
  }

  /** Writes to a file without Node's stream, which fails for good with its first error. */
  private writeToFile(line: string): boolean {
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

  private writeToStream(line: string): boolean {
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
function isFile(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !process.stdout.isTTY);
  } catch {
    return false;
  }
}

/** The log of this process. */
export const logOutput = new LogOutput();
