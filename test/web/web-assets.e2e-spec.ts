import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get, type IncomingHttpHeaders } from 'node:http';
import { assetUrl, type AssetName } from '../../src/web/assets/assets.js';
import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';

const service = useService();
const NAMES: AssetName[] = [
  'web.css',
  'icons.svg',
  'mark.svg',
  'app.js',
  'inbox.js',
  'live.js',
  'palette.js',
  'passkeys.js',
  'split.js',
  'touch.js',
  'acts.js',
];
/** Most bytes of a first page besides its own HTML. */
const STYLES_MAX = 13 * 1024;
const SCRIPTS_MAX = 14 * 1024;
/** Most bytes of a script that the page of someone else loads. */
const SCRIPT_MAX = 2_000;

/** Loads a file with this Accept-Encoding, as it comes over the wire. */
const load = (path: string, encoding: string) =>
  new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    get(service().url + path, { headers: { 'Accept-Encoding': encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({ headers: response.headers, bytes: Buffer.concat(parts) });
      });
    }).on('error', reject);
  });

describe('A file that pages load', () => {
  it.each(NAMES)('%s comes compressed as the browser wants it, to be kept for ever', async (name) => {
    const path = assetUrl(name);
    const plain = await load(path, 'identity');
    const gzip = await load(path, 'gzip');
    const brotli = await load(path, 'gzip, br');

    expect(path).toMatch(/^\/assets\/[0-9a-f]{12}\//);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.vary).toBe('Accept-Encoding');
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
  });

  it('stays small', async () => {
    const size = async (name: AssetName) => (await load(assetUrl(name), 'gzip')).bytes.length;
    expect(await size('web.css')).toBeLessThan(STYLES_MAX);
    // The inbox on a phone loads most; no page has a passkey beside it.
    const scripts = await Promise.all([
      size('app.js'),
      size('inbox.js'),
      size('live.js'),
      size('split.js'),
      size('acts.js'),
      size('presence.js'),
      size('pages.js'),
      size('touch.js'),
    ]);
    expect(scripts.reduce((sum, bytes) => sum + bytes)).toBeLessThan(SCRIPTS_MAX);
  });

  it('is not there under another release or name', async () => {
    const path = assetUrl('web.css');
    for (const other of [path.replace(/[0-9a-f]{12}/, '000000000000'), `${path}x`]) {
      await service().anonymous().get(other).expect(refusal(404, 'route_not_found'));
    }
  });

  it('is the mark where browsers look for one by themselves', async () => {
    const { headers, bytes } = await load('/favicon.ico', 'identity');

    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['cache-control']).toBe('public, max-age=86400');
    expect(bytes.equals((await load(assetUrl('mark.svg'), 'identity')).bytes)).toBe(true);
  });

  it.each(['/f.js', '/f-draft.js', '/proof-of-work.js'])(
    'is small for pages of others, which may load it from any origin and get corrections within an hour: %s',
    async (path) => {
      const { headers, bytes } = await load(path, 'gzip');

      expect(bytes.length).toBeLessThanOrEqual(SCRIPT_MAX);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
    },
  );

  it.each(['/f/0123456789abcdef', '/docs', '/sign-in'])(
    'is the mark on every page, whose policy lets it in: %s',
    async (path) => {
      const { headers } = await service().anonymous().get(path).set('Accept', 'text/html');

      expect(headers['content-security-policy']).toMatch(/img-src 'self'[ ;]/);
    },
  );
});
