import type { IncomingMessage } from 'node:http';
import { decodedPart } from '../../platform/kernel/text/url-part.js';
import type { IntakeAddress } from './dialects.js';

/**
 * Looks for the form in the body of a request whose address does not say it, and puts back what it has read.
 * @param maxBytes how far into the body it looks
 * @returns the value of the field; null when none says it
 */
export async function findFormKey(
  request: IncomingMessage,
  address: IntakeAddress,
  maxBytes: number,
): Promise<string | null> {
  const body = new GrowingText(patternsOf(keyNames(address)));
  await new Promise<void>((resolve) => {
    const done = (): void => {
      request.off('readable', read).off('close', done);
      // In the same turn, or the stream would end.
      if (body.bytes > 0) request.unshift(body.all);
      resolve();
    };
    const read = (): void => {
      for (;;) {
        const chunk = request.read() as Buffer | null;
        if (chunk === null) break;
        body.add(chunk);
      }
      body.look(request.complete);
      if (body.found !== null || request.complete || body.bytes >= maxBytes) done();
    };
    request.on('readable', read).once('close', done);
    read();
  });
  return body.found === null ? null : decodedPart(body.found);
}

/** Patterns of a field as a pair of a query, as a part of a multipart body, and as a member of JSON. */
interface Patterns {
  pair: RegExp;
  part: RegExp;
  member: RegExp;
}

/** Holds the beginning of a body, and what a pattern finds there. */
class GrowingText {
  private readonly chunks: Buffer[] = [];
  private looked = 0;
  bytes = 0;
  /** The first group that matched; null while none has. */
  found: string | null = null;

  constructor(private readonly patterns: Patterns) {}

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  get all(): Buffer {
    return Buffer.concat(this.chunks, this.bytes);
  }

  /** Looks each time at twice as much, so that small pieces cost no more than large ones. */
  look(isWhole: boolean): void {
    if (!isWhole && this.bytes < 2 * this.looked) return;
    this.looked = this.bytes;
    const text = this.all.toString('latin1');
    const { pair, part, member } = this.patterns;
    if (text.startsWith('--')) this.found = part.exec(text)?.[1] ?? null;
    else if (/^\s*\{/.test(text)) this.found = member.exec(text)?.[1] ?? null;
    else this.found = pair.exec(isWhole ? `${text}&` : text)?.[1] ?? null;
  }
}

/** Returns the names of the fields that can name the form. */
export function keyNames({ dialects }: IntakeAddress): string[] {
  return dialects.flatMap(({ roles }) =>
    Object.keys(roles).filter((name) => roles[name] === 'key'),
  );
}

function patternsOf(names: string[]): Patterns {
  const name = `(?:${names.join('|')})`;
  return {
    pair: new RegExp(`(?:^|&)${name}=([^&]+)&`),
    part: new RegExp(`name="${name}"(?:\\r\\n[^\\r\\n]+)*\\r\\n\\r\\n([^\\r\\n]+)\\r\\n`),
    member: new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]+)"`),
  };
}
