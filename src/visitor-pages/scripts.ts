import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { SnippetScript } from '../forms/model/form-snippet.js';
import { ROOT } from '../platform/index.js';
import { Asset } from '../platform/http/index.js';

const SCRIPT = 'text/javascript; charset=utf-8';
const BUILT = new URL('dist/visitor-pages/', ROOT);
const RELEASED = new URL('released/', BUILT);
const NAMES = ['f.js', 'f-draft.js', 'proof-of-work.js'];

let loaded: Map<string, Asset> | undefined;

/** Returns a script for pages of others; null for another name. A name with a hash means one content for ever. */
export function scriptNamed(name: string): Asset | null {
  loaded ??= load();
  return loaded.get(name) ?? null;
}

/** Returns the script that sends forms in place, as new pages load it: the content of today, and no other. */
export function currentScript(): SnippetScript {
  const bytes = scriptNamed('f.js')?.bytes ?? Buffer.alloc(0);
  return { name: nameOf(bytes), integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}` };
}

/** Reads the scripts of this build, and the ones of releases, whose hashes stand in pages since then. */
function load() {
  const now = NAMES.map((name) => [name, read(name)] as const);
  const kept = existsSync(RELEASED) ? readdirSync(RELEASED).map((name) => read(`released/${name}`)) : [];
  const files = [...now, ...[read('f.js'), ...kept].map((bytes) => [nameOf(bytes), bytes] as const)];
  return new Map(files.map(([name, bytes]) => [name, new Asset(SCRIPT, bytes)]));
}

/** Returns the name by which pages load this content and no other. */
function nameOf(bytes: Buffer) {
  return `f.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`;
}

function read(name: string) {
  return readFileSync(new URL(name, BUILT));
}
