import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ROOT } from '../platform/index.js';
import { Asset } from '../platform/http/index.js';

/** Texts for a visitor whose submission got no answer. */
export const UNANSWERED = {
  offline: 'You are offline. Your message is sent as soon as you are online again.',
  failed: 'Your message was not sent. Please try again.',
};

const SCRIPT = 'text/javascript; charset=utf-8';
const NAMES = ['f.js', 'proof-of-work.js'];

let loaded: Map<string, Asset> | undefined;

/** Returns a script for pages of others; null for another name. A name with a hash means one content for ever. */
export function scriptNamed(name: string): Asset | null {
  loaded ??= load();
  return loaded.get(name) ?? null;
}

function load() {
  const files = NAMES.map((name) => [name, read(name)] as const);
  return new Map(
    files.flatMap(([name, bytes]) => {
      const asset = new Asset(SCRIPT, bytes);
      return name === 'f.js' ? [[name, asset] as const, [nameOf(bytes), asset] as const] : [[name, asset] as const];
    }),
  );
}

/** Returns the name by which pages load this content and no other. */
function nameOf(bytes: Buffer) {
  return `f.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`;
}

function read(name: string) {
  return readFileSync(new URL(`dist/visitor-pages/${name}`, ROOT));
}
