/** How many submissions something was learnt from, by what people said of them. */
export interface LearntCount {
  spam: number;
  ham: number;
}

/** Likeness of a submission to spam, by its words. */
export interface Likeness {
  /** From 0, like what people kept, to 1, like what they marked as spam. */
  probability: number;
  /** The words that say spam, the most telling first. */
  telling: string[];
}

/** Robinson's weight and value of what is assumed of a word before it was ever seen. */
const ASSUMED_WEIGHT = 0.6;
const ASSUMED = 0.5;
/** Most words that count, and how far from 0.5 one has to be. */
const TELLING_MAX = 40;
const TELLING_MIN_DISTANCE = 0.1;

/**
 * Combines what is known of words by the method of Robinson and Fisher, as SpamBayes and Bogofilter do.
 * @param counts of the words that were seen before
 * @param total of all submissions that were learnt from, with some of both kinds
 */
export function likenessOf(counts: ReadonlyMap<string, LearntCount>, total: LearntCount): Likeness {
  const words = [...counts]
    .map(([word, count]) => ({ word, p: probabilityOf(count, total) }))
    .filter(({ p }) => Math.abs(p - 0.5) >= TELLING_MIN_DISTANCE)
    .sort((a, b) => Math.abs(b.p - 0.5) - Math.abs(a.p - 0.5))
    .slice(0, TELLING_MAX);
  const asSpam = fisher(words.map(({ p }) => 1 - p));
  const asHam = fisher(words.map(({ p }) => p));
  return { probability: (1 + asSpam - asHam) / 2, telling: words.filter(({ p }) => p > 0.5).map(({ word }) => word) };
}

function probabilityOf({ spam, ham }: LearntCount, total: LearntCount) {
  const ofSpam = spam / total.spam;
  const ofHam = ham / total.ham;
  const seen = spam + ham;
  const p = seen === 0 ? ASSUMED : ofSpam / (ofSpam + ofHam);
  return (ASSUMED_WEIGHT * ASSUMED + seen * p) / (ASSUMED_WEIGHT + seen);
}

/** Returns how unlikely it is to find probabilities as small as these by chance: 0 for none at all, to 1. */
function fisher(probabilities: readonly number[]) {
  const chi = probabilities.reduce((sum, p) => sum - 2 * Math.log(p), 0);
  return 1 - chiSquareTail(chi, probabilities.length);
}

/** Returns the chance of a chi-square this large with twice as many degrees of freedom. */
function chiSquareTail(chi: number, halfDegrees: number) {
  const m = chi / 2;
  let term = Math.exp(-m);
  let sum = term;
  for (let i = 1; i < halfDegrees; i++) {
    term *= m / i;
    sum += term;
  }
  return Math.min(sum, 1);
}
