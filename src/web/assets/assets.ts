import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ROOT, styleSheet } from '../../platform/index.js';
import { Asset } from '../../platform/http/index.js';

/** Style sheets in the order of their layers; browsers get them as one file. */
const STYLES = [
  'base.css',
  'shell.css',
  'controls.css',
  'lists.css',
  'inbox.css',
  'submission.css',
  'forms.css',
  'statistics.css',
  'palette.css',
  'print.css',
];
const SCRIPT = 'text/javascript; charset=utf-8';
const BUILT = new URL('dist/web/', ROOT);

/** Where each file comes from. */
const SOURCES = {
  'web.css': { type: 'text/css; charset=utf-8', read: readStyles },
  'icons.svg': { type: 'image/svg+xml', read: () => readBuilt('assets/icons.svg') },
  'mark.svg': { type: 'image/svg+xml', read: () => readBuilt('assets/mark.svg') },
  'acts.js': { type: SCRIPT, read: () => readBuilt('browser/acts.js') },
  'app.js': { type: SCRIPT, read: () => readBuilt('browser/app.js') },
  'inbox.js': { type: SCRIPT, read: () => readBuilt('browser/inbox.js') },
  'live.js': { type: SCRIPT, read: () => readBuilt('browser/live.js') },
  'pages.js': { type: SCRIPT, read: () => readBuilt('browser/pages.js') },
  'palette.js': { type: SCRIPT, read: () => readBuilt('browser/palette.js') },
  'passkeys.js': { type: SCRIPT, read: () => readBuilt('browser/passkeys.js') },
  'presence.js': { type: SCRIPT, read: () => readBuilt('browser/presence.js') },
  'preview.js': { type: SCRIPT, read: () => readBuilt('browser/preview.js') },
  'settings.js': { type: SCRIPT, read: () => readBuilt('browser/settings.js') },
  'split.js': { type: SCRIPT, read: () => readBuilt('browser/split.js') },
  'touch.js': { type: SCRIPT, read: () => readBuilt('browser/touch.js') },
} as const;

/** Name of a file that pages load. */
export type AssetName = keyof typeof SOURCES;

interface Assets {
  /** First 12 hex digits of the SHA-256 of all files: modules import one another by relative names. */
  release: string;
  files: Map<string, Asset>;
}

let loaded: Assets | undefined;

/** Returns the address of a file that pages load, such as `/assets/0123456789ab/web.css`. */
export function assetUrl(name: AssetName) {
  return `/assets/${assets().release}/${name}`;
}

/** Returns a file of this release. */
export function assetNamed(name: AssetName): Asset {
  const asset = assets().files.get(name);
  if (!asset) throw new Error(`There is no ${name}.`);
  return asset;
}

/** Returns the file of a release, or null when there is none such. */
export function findAsset(release: string, name: string): Asset | null {
  return release === assets().release ? (assets().files.get(name) ?? null) : null;
}

/** Reads all files, once in a process. */
function assets() {
  return (loaded ??= load());
}

function load(): Assets {
  const digest = createHash('sha256');
  const files = new Map<string, Asset>();
  for (const [name, { type, read }] of Object.entries(SOURCES)) {
    const bytes = read();
    digest.update(name).update(bytes);
    files.set(name, new Asset(type, bytes));
  }
  return { release: digest.digest('hex').slice(0, 12), files };
}

function readBuilt(path: string): Buffer {
  return readFileSync(new URL(path, BUILT));
}

/** Reads all styles as one. */
function readStyles(): Buffer {
  return Buffer.from(STYLES.map((name) => styleSheet(`web/assets/${name}`)).join(''));
}
