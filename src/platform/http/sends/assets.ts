import type { Request, Response } from 'express';
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

/** A file that pages load. */
export class Asset {
  /** Its bytes by encoding; made when they are first asked for, which takes up to some 100 ms. */
  private readonly encoded = new Map<Encoding, Buffer>();

  constructor(
    private readonly type: string,
    readonly bytes: Buffer,
  ) {}

  /** Sends it as the browser wants it compressed. @param caching one of those above */
  send(request: Request, response: Response, caching: string): void {
    response.set({ 'Cache-Control': caching, Vary: 'Accept-Encoding', 'Content-Type': this.type });
    const encoding = ENCODINGS.find((each) => request.acceptsEncodings(each) !== false);
    if (encoding === undefined) response.end(this.bytes);
    else response.set('Content-Encoding', encoding).end(this.in(encoding));
  }

  private in(encoding: Encoding) {
    const made = this.encoded.get(encoding) ?? COMPRESS[encoding](this.bytes);
    this.encoded.set(encoding, made);
    return made;
  }
}
