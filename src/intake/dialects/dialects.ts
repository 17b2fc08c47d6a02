import { asProvider, type Provider } from '../../aliases/provider.js';
import { decodedPart } from '../../platform/kernel/text/url-part.js';
import { isOwnSegment } from '../../aliases/own-segments.js';
import { basin } from './basin.js';
import { ROOT_PATH, type Dialect, type DialectPath } from './dialect.js';
import { formbackend } from './formbackend.js';
import { formcarry } from './formcarry.js';
import { forminit } from './forminit.js';
import { formspark } from './formspark.js';
import { formspree } from './formspree.js';
import { formsubmit, formsubmitAjax } from './formsubmit.js';
import { getform } from './getform.js';
import { netlify } from './netlify.js';
import { web3forms } from './web3forms.js';

/** The dialect of each provider. */
const DIALECTS: Readonly<Record<Provider, Dialect>> = {
  basin,
  formbackend,
  formcarry,
  forminit,
  formspark,
  formspree,
  formsubmit,
  getform,
  netlify,
  web3forms,
};

/** The dialect of our own pages. */
export const OURS = DIALECTS.formbackend;

/** An address that submissions are sent to. */
export interface IntakeAddress {
  path: DialectPath;
  /** The part that stands for the form; null where a field of the body does. */
  id: string | null;
  /** Dialects whose pages send there. */
  dialects: readonly Dialect[];
}

/** Each address with its dialects: that with the narrower pattern first, and the root last. */
const PATHS = [...dialectsByPath()].sort(
  ([one], [other]) => rankOf(one) - rankOf(other) || other.route.length - one.route.length,
);

/** Returns the address that a request is sent to; null when no submissions are. @param url its path and query */
export function intakeAddressOf(url: string): IntakeAddress | null {
  const query = url.indexOf('?');
  const asked = query < 0 ? url : url.slice(0, query);
  for (const [path, dialects] of PATHS) {
    const parts = path.pattern.exec(asked)?.slice(1).map(decodedPart);
    if (!parts) continue;
    if (path === ROOT_PATH && isOwnSegment(parts[0] ?? '')) return null;
    return { path, id: parts.length === 0 ? null : parts.join('/'), dialects };
  }
  return null;
}

/**
 * Returns how to speak to who sent a form: as the form says, else as its address does, else as the alias does that led
 * there.
 */
export function dialectOf(
  { dialects }: IntakeAddress,
  ofForm: string | null,
  ofAlias: Provider | null,
): Dialect {
  const fixed = asProvider(ofForm);
  const [only = OURS, ...others] = dialects;
  if (others.length === 0 && (fixed === null || only.provider === fixed)) return only;
  return DIALECTS[fixed ?? ofAlias ?? OURS.provider];
}

function dialectsByPath(): Map<DialectPath, Dialect[]> {
  const byPath = new Map<DialectPath, Dialect[]>();
  for (const dialect of [...Object.values(DIALECTS), formsubmitAjax]) {
    for (const path of dialect.paths) byPath.set(path, [...(byPath.get(path) ?? []), dialect]);
  }
  return byPath;
}

function rankOf(path: DialectPath): number {
  return path === ROOT_PATH ? 1 : 0;
}
