/**
 * Measures how much spam the filter finds by what it has learnt, and what it holds wrongly, by the number of marks. The
 * mails of a public corpus stand for submissions: some are learnt from, the rest judged, by learnt words alone. Messages
 * of honest people are judged by every signal that looks at what was written. Then a bot's posts of ten kinds are judged
 * with people in between, and the time that a verdict takes is told.
 */
import { LearnedSignal } from '../build/spam/learning/spam-lessons.service.js';
import { digestOf, wordsOf } from '../build/spam/learning/words-of.js';
import { SpamJudge } from '../build/spam/judge/spam-judge.js';
import { SpamSettings } from '../build/spam/judge/spam-settings.js';
import { readCorpus } from './spam/corpus.js';
import { ENQUIRIES } from './spam/enquiries.js';
import { replayAttack } from './spam/replay.js';

const MARKS = [50, 100, 200, 500];
/** Random splits of the corpus for each number of marks. */
const SPLITS = 4;
/** Facts of the intake about a visitor besides the values, without a sign of spam. */
const NOBODY = {
  form: { id: 1, accountId: 1 },
  honeypot: null,
  fillMs: null,
  proof: null,
  captcha: null,
  origin: null,
  userAgent: null,
  acceptLanguage: null,
  alike: 0,
  fromNetwork: 0,
  address: '',
};
const SETTINGS = SpamSettings.of({ spamSettings: null, whitelistedDomains: null });

let state = 1;
const { ham, spam } = await readCorpus();
console.log('| Marks of each kind | Recall | False positives | Enquiries held or spam |');
console.log('| ------------------ | ------ | --------------- | ---------------------- |');
for (const marks of MARKS) {
  const sum = { spam: 0, found: 0, ham: 0, wrong: 0, held: 0 };
  for (let split = 0; split < SPLITS; split++) {
    const [goods, bads] = [shuffled(ham), shuffled(spam)];
    const signal = taught(goods.splice(0, marks), bads.splice(0, marks));
    const speaks = async (fields) => (await signal.look({ ...NOBODY, fields }, SETTINGS)) !== null;
    for (const fields of bads) sum.found += Number(await speaks(fields));
    for (const fields of goods) sum.wrong += Number(await speaks(fields));
    sum.spam += bads.length;
    sum.ham += goods.length;
    const judge = new SpamJudge([signal]);
    for (const values of ENQUIRIES) {
      const fields = Object.entries(values).map(([name, text]) => ({ name, text }));
      const { band } = await judge.judge({ ...NOBODY, fields }, SETTINGS);
      sum.held += Number(band !== 'clean');
    }
  }
  const percent = (part, all, digits) => `${((100 * part) / all).toFixed(digits)} %`;
  const row = [marks, percent(sum.found, sum.spam, 1), percent(sum.wrong, sum.ham, 2)];
  console.log(`| ${[...row, `${sum.held} of ${ENQUIRIES.length * SPLITS}`].join(' | ')} |`);
}

await replayAttack();

/** Makes the signal of an account that has marked these. */
function taught(goods, bads) {
  const counts = new Map();
  for (const [kind, all] of [
    ['ham', goods],
    ['spam', bads],
  ]) {
    for (const word of all.flatMap(wordsOf)) {
      const digest = digestOf(word).toString('latin1');
      const count = counts.get(digest) ?? { spam: 0, ham: 0 };
      count[kind]++;
      counts.set(digest, count);
    }
  }
  return new LearnedSignal({
    listFor: async () => [{ id: 1, spam: bads.length, ham: goods.length }],
    countsOf: async (_, digests) => {
      const keys = digests.map((digest) => digest.toString('latin1'));
      return new Map(keys.flatMap((key) => (counts.has(key) ? [[key, counts.get(key)]] : [])));
    },
  });
}

/** Returns them in an order that is the same in every run. */
function shuffled(all) {
  const order = all.map((each) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return [state, each];
  });
  return order.sort(([a], [b]) => a - b).map(([, each]) => each);
}
