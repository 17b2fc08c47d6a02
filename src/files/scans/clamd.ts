import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { ClamdAddress } from '../../platform/config/addresses.js';

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
export class ClamdTooLarge extends ClamdRefused {}

/** Asks clamd whether it is there. @throws ClamdSilent, ClamdRefused */
export async function pingClamd(address: ClamdAddress, signal: AbortSignal): Promise<void> {
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
    throw new ClamdTooLarge(
      'The file is larger than clamd takes. Set CLAMD_MAX_BYTES to its StreamMaxLength.',
    );
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
    pipeline(more, socket, { end: false }).catch((error: unknown) =>
      socket.destroy(error as Error),
    );
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

function quoted(answer: string): string {
  return answer.slice(0, QUOTED_MAX).replace(/[\p{Cc}]/gu, ' ');
}
