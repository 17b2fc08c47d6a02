import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Readable } from 'node:stream';
import {
  type ClamdAddress,
  Config,
  countersBy,
  counter,
  Measured,
  Turns,
  Clock,
  SECOND_MS,
} from '../../../platform/index.js';
import type { Scanned } from './file-scans.repository.js';
import { VIRUS_MAX } from './file-scan.entity.js';

/** Longest answer that is read, in characters. */
const ANSWER_MAX = 4_096;
/** Length of an answer that an error repeats, in characters. */
const QUOTED_MAX = 200;
/** Says that the stream is over. */
const END = Buffer.alloc(4);

/** Clamd gave no answer: it is away, slow, or something else. */
export class ClamdSilent extends Error {}

/** Clamd is there and does not scan this: it says so, or hangs up, as it may on what is too large. */
export class ClamdRefused extends Error {}

/** Clamd takes no file of this size. */
class ClamdTooLarge extends ClamdRefused {}

/** Asks clamd whether it is there. @throws ClamdSilent, ClamdRefused */
export async function pingClamd(address: ClamdAddress, signal: AbortSignal) {
  const answer = await ask(address, 'PING', [], signal);
  if (answer !== 'PONG') throw new ClamdSilent('The answer does not come from clamd.');
}

/**
 * Has clamd scan content.
 * @returns the name of the virus that it found; null for none
 * @throws ClamdSilent, ClamdRefused
 */
export async function scanByClamd(
  address: ClamdAddress,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await ask(address, 'INSTREAM', framed(content), signal);
  if (answer === 'stream: OK') return null;
  const [, virus] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
  if (virus !== undefined) return virus;
  if (answer.includes('size limit exceeded')) {
    throw new ClamdTooLarge('The file is larger than clamd takes. Set CLAMD_MAX_BYTES to its StreamMaxLength.');
  }
  if (answer.endsWith('ERROR')) throw new ClamdRefused(`It answers: ${quoted(answer)}.`);
  throw new ClamdSilent('The answer does not come from clamd.');
}

/** Writes content as INSTREAM takes it: each chunk behind its length. */
async function* framed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    if (chunk.length === 0) continue; // A length of zero would end the stream.
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    yield length;
    yield chunk;
  }
  yield END;
}

/** Sends a command and what follows it. @returns the answer without its end @throws ClamdSilent, ClamdRefused */
async function ask(
  address: ClamdAddress,
  command: string,
  more: AsyncIterable<Buffer> | Iterable<Buffer>,
  signal: AbortSignal,
): Promise<string> {
  if (signal.aborted) throw new ClamdSilent(LATE);
  const socket = connect(address);
  const abort = () => socket.destroy(new Error(LATE));
  signal.addEventListener('abort', abort);
  try {
    const answer = answerOn(socket);
    socket.write(`z${command}\0`);
    // It may answer before it has read everything; whatever breaks off by that matters no more.
    pipeline(more, socket, { end: false }).catch((error: unknown) => socket.destroy(error as Error));
    return await answer;
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

const LATE = 'It does not respond in time.';

/** Reads an answer up to its NUL, however it is cut into packets. @throws ClamdSilent, ClamdRefused */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let silent: ClamdSilent | null = null;
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\0');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > ANSWER_MAX) socket.destroy(new Error('Its answer is too long.'));
    });
    socket.on('error', ({ message, code }: NodeJS.ErrnoException) => {
      const isCutOff = code === 'EPIPE' || code === 'ECONNRESET';
      if (!isCutOff) silent = new ClamdSilent(message === '' ? String(code) : message);
    });
    socket.on('close', () => {
      reject(silent ?? new ClamdRefused('It hangs up without an answer.'));
    });
  });
}

function quoted(answer: string) {
  return answer.slice(0, QUOTED_MAX).replace(/[\p{Cc}]/gu, ' ');
}

/** Files that this process has scanned at a time: clamd has ten threads by default. */
const AT_ONCE = 8;
/** Time in milliseconds in which no visitor waits for a clamd that did not answer. */
const PAUSE_MS = 10 * SECOND_MS;

/** The content of a file. */
export interface Scannable {
  /** In bytes. */
  size: number;
  /** Opens it; null when it is gone. @throws the error of the disk */
  open: () => Promise<Readable | null>;
}

/** The file was erased meanwhile. */
class ContentGone extends Error {}

/** Has files scanned by the operator's clamd. A file that it does not scan is the operator's to know, and never an error. */
@Injectable()
export class VirusScanner {
  /** Scans of this process by their result. */
  private readonly results = countersBy('result');
  private readonly logger = new Logger(VirusScanner.name);
  private readonly turns = new Turns(AT_ONCE);
  /** Why files are not scanned now; null when they are. */
  private trouble: string | null = null;
  private silentUntil = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Measured()
  metrics() {
    return [
      counter('fcs_virus_scans_total', 'Files given to clamd: clean, infected, failed (not scanned).', this.results),
    ];
  }

  /** Tells whether files are scanned at all. */
  get isOn() {
    return this.config.intake.clamd !== undefined;
  }

  /** Tells whether clamd did not answer a moment ago. */
  get isSilent() {
    return performance.now() < this.silentUntil;
  }

  /** Asks whether clamd is there. @throws ClamdSilent, ClamdRefused */
  async verify(signal: AbortSignal) {
    const { clamd } = this.config.intake;
    if (clamd === undefined) return;
    await pingClamd(clamd, signal);
    this.silentUntil = -Infinity;
  }

  /** Scans a file. Without an answer it stays unscanned; it is due again at once, unless it is too large. */
  async scan(file: Scannable, signal: AbortSignal): Promise<Scanned> {
    try {
      const virus = await this.turns.run(() => this.virusIn(file, signal));
      this.tell(null);
      const state = virus === null ? 'clean' : 'infected';
      this.results.of(state).add();
      return { state, virus: virus?.slice(0, VIRUS_MAX) ?? null, dueAt: null };
    } catch (error) {
      const isNever = error instanceof ClamdTooLarge || error instanceof ContentGone;
      this.results.of('failed').add();
      if (error instanceof ClamdSilent) this.silentUntil = performance.now() + PAUSE_MS;
      if (!isNever) this.tell((error as Error).message);
      return { state: 'unscanned', virus: null, dueAt: isNever ? null : this.clock.now() };
    }
  }

  private async virusIn({ size, open }: Scannable, signal: AbortSignal) {
    const { clamd, clamdMaxBytes } = this.config.intake;
    if (clamd === undefined) throw new ClamdSilent('CLAMD is not set.');
    if (size > clamdMaxBytes) throw new ClamdTooLarge();
    if (signal.aborted) throw new ClamdSilent('It does not respond in time.');
    const content = await open();
    if (content === null) throw new ContentGone();
    try {
      return await scanByClamd(clamd, content, signal);
    } finally {
      content.destroy();
    }
  }

  /** Logs when scans begin to fail, and when they work again. */
  private tell(trouble: string | null) {
    const before = this.trouble;
    this.trouble = trouble;
    if (trouble === null && before !== null) this.logger.log('Files are scanned again');
    if (trouble !== null && before === null) {
      this.logger.warn('Files are not scanned for viruses', { reason: trouble });
    }
  }
}
