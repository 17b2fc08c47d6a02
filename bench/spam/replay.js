import { ListsSignal } from '../../build/spam/lists/spam-lists.service.js';
import { EntryList } from '../../build/spam/lists/entry-list.js';
import { entriesOf } from '../../build/spam/lists/spam-lists.service.js';
import { SpamHistory } from '../../build/spam/history/spam-history.js';
import { SpamJudge } from '../../build/spam/judge/spam-judge.js';
import { SpamSettings } from '../../build/spam/judge/spam-settings.js';
import { attack, honest, KINDS, PROTECTED } from './attack.js';

const POSTS = 10_000;
const HONEST = 100;
/** Machines of the bot. */
const MACHINES = 50;
const FORM = { id: 1, accountId: 1 };

/** Replays a bot's posts with people in between, and prints what became of each kind and what it cost. */
export async function replayAttack() {
  const bands = new Map();
  const count = (kind, band) => {
    const row = bands.get(kind) ?? { clean: 0, held: 0, spam: 0 };
    row[band]++;
    bands.set(kind, row);
  };
  const judged = await judgeAll(settingsOf({}), count);
  console.log('\n| Posts of a bot that | Passed | Held | Spam |');
  console.log('| ------------------- | ------ | ---- | ---- |');
  for (const kind of [...Object.keys(KINDS), 'honest people']) {
    const { clean, held, spam } = bands.get(kind);
    console.log(`| ${kind} | ${clean} | ${held} | ${spam} |`);
  }
  const off = Object.fromEntries(Object.keys(settingsOf({}).signals).map((name) => [name, { enabled: false }]));
  const nothing = await judgeAll(settingsOf(off));
  const [on, without] = [judged, nothing].map((ms) => (ms / (POSTS + HONEST)).toFixed(4));
  console.log(`\nProcessor time of a verdict: ${on} ms, with all signals off ${without} ms.`);
}

/**
 * Judges all posts.
 * @param count gets the kind and the band of each
 * @returns the processor time, in milliseconds
 */
async function judgeAll(settings, count) {
  const block = new EntryList(entriesOf(PROTECTED.block.join('\n')));
  const lookUps = { of: async () => ({ block, allow: new EntryList([]) }) };
  const judge = new SpamJudge([new ListsSignal(lookUps)]);
  const history = new SpamHistory();
  const begin = process.cpuUsage();
  const look = async (kind, { values, waitMs, ...known }, address) => {
    const [honeypot = null] = PROTECTED.honeypots.filter((name) => name in values);
    const given = Object.entries(values).filter(([name]) => name !== honeypot);
    const fields = given.map(([name, text]) => ({ name, text }));
    const before = history.add(FORM.accountId, address, fields, new Date());
    const evidence = {
      ...{ form: FORM, honeypot, fillMs: waitMs, proof: null, captcha: null, fields, address },
      ...{ ...known, ...before },
    };
    const { band } = await judge.judge(evidence, settings);
    count?.(kind, band);
  };
  for (let n = 0; n < POSTS; n++) {
    const { kind, ...post } = attack(n);
    await look(kind, post, `198.51.100.${n % MACHINES}`);
    const who = n / (POSTS / HONEST);
    if (Number.isInteger(who)) await look('honest people', honest(who), `203.0.113.${who}`);
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

function settingsOf(signals) {
  const { honeypots, whitelistedDomains } = PROTECTED;
  const spamSettings = JSON.stringify({ honeypots, signals });
  return SpamSettings.of({ spamSettings, whitelistedDomains });
}
