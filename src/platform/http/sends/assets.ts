import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A year, the longest that RFC 9111 expects caches to keep anything. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** For an address that stays when its content changes. */
export const A_DAY = 'public, max-age=86400';

/** For what stands in pages of other people: a correction reaches them soon. */
export const AN_HOUR = 'public, max-age=3600';

/** How files are compressed, as HTTP names it; the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

const COMPRESS: Record<Encoding, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** For what stays in a cache until it is another: browsers ask at each visit, and get 304. */
export const CHECKED = 'no-cache';

/** Larger texts take too long by Brotli, in bytes. */
const BROTLI_MAX = 64 * 1024;

/** A file that pages load. */
export class Asset {
  /** Its bytes by encoding; made when they are first asked for, which takes up to some 100 ms. */
  private readonly encoded = new Map<Encoding, Buffer>();

  private hash: string | undefined;

  constructor(
    private readonly type: string,
    readonly bytes: Buffer,
  ) {}

  /** Sends it as the browser wants it compressed. @param caching one of those above */
  send(request: Request, response: Response, caching: string): void {
    response.vary('Accept-Encoding').set({ 'Cache-Control': caching, 'Content-Type': this.type });
    if (caching === CHECKED) {
      response.set('ETag', this.tag);
      if (request.fresh) {
        response.status(304).end();
        return;
      }
    }
    const isLarge = this.bytes.length > BROTLI_MAX;
    const encoding = ENCODINGS.find((each) => !(isLarge && each === 'br') && request.acceptsEncodings(each) !== false);
    if (encoding === undefined) response.end(this.bytes);
    else response.set('Content-Encoding', encoding).end(this.in(encoding));
  }

  private get tag() {
    return (this.hash ??= `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`);
  }

  private in(encoding: Encoding) {
    const made = this.encoded.get(encoding) ?? COMPRESS[encoding](this.bytes);
    this.encoded.set(encoding, made);
    return made;
  }
}
