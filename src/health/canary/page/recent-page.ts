import { allowsOrigin } from '../../../spam/signals/origin.js';
import { pageOf } from '../../../submissions/model/page-address.js';
import type { SubmissionInFull } from '../../../submissions/submissions.service.js';
import { parseUrl } from '../../../platform/index.js';

/** Fewest submissions of a page that tell which fields are usual, and the share of them that has those. */
const USUAL_LEAST = 5;
const USUAL_SHARE = 0.95;
/** Most fields that are usual. */
const USUAL_MAX = 100;
/** Fields that scripts and campaigns add. */
const NOT_USUAL = /^(?:_|utm_|gclid$|fbclid$)/;

/**
 * Returns the page that most of some submissions came from, of several that newest first; null for none. So nobody chooses
 * with one submission what is fetched.
 * @param recent the newest first
 * @param domains the allowed domains of the form; null for all
 * @param ours our own origin, whose pages are none of the form
 */
export function pageAmong(recent: readonly SubmissionInFull[], domains: string | null, ours: string): string | null {
  const pages = recent.flatMap(({ submission }) => {
    const { referer } = submission;
    if (referer === null || pageOf(submission) === '') return [];
    const url = new URL(referer);
    url.hash = '';
    return url.origin === ours || !allowsOrigin(domains, url.origin) ? [] : url;
  });
  const path = commonest(pages.map(withoutQuery));
  return commonest(pages.flatMap((url) => (withoutQuery(url) === path ? url.href : [])));
}

/** Returns the fields that nearly all of these submissions of a page had; none where those are few. */
export function fieldsOf(recent: readonly SubmissionInFull[], page: URL): string[] {
  const ofPage = recent.filter(({ submission: { referer } }) => {
    const url = parseUrl(referer);
    return url !== null && withoutQuery(url) === withoutQuery(page);
  });
  if (ofPage.length < USUAL_LEAST) return [];
  const counts = new Map<string, number>();
  for (const { submission, files } of ofPage) {
    const names = [...submission.texts.map(({ name }) => name), ...files.map(({ field }) => field)];
    for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const usual = [...counts].flatMap(([name, count]) =>
    count >= ofPage.length * USUAL_SHARE && !NOT_USUAL.test(name) ? [name] : [],
  );
  return usual.slice(0, USUAL_MAX);
}

function withoutQuery({ origin, pathname }: URL) {
  return origin + pathname;
}

/** Returns the text that is there most often, of several the first; null for none. */
function commonest(texts: readonly string[]) {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? null;
}
