import { Injectable } from '@nestjs/common';
import { ReadCache } from '../../platform/kernel/read-cache.js';
import type { SpamEvidence } from '../evidence/spam-evidence.js';
import { learned } from '../signals/learned.js';
import type { FormRules, SlowSignal } from '../evidence/spam-signal.js';
import type { SpamPart } from '../evidence/verdict.js';
import { likenessOf, type LearntCount } from './likeness.js';
import { MARKS_MIN } from './spam-learning.service.js';
import { ALL_FORMS, type SpamModel } from './spam-model.entity.js';
import { SpamModelsRepository } from './spam-models.repository.js';
import { digestOf, wordsOf } from './words-of.js';

/** Marks of each kind from which on the signal has all of its points. */
const MARKS_SURE = 200;
/** Most points below that. */
const UNSURE_POINTS = 2;
/** From which probability on a submission is said to be like spam. */
const PROBABILITY_MIN = 0.997;
/** Words that the reason names. */
const NAMED_WORDS = 5;

/**
 * Says that a submission has the words of those that were marked as spam. However it is weighed, it is never
 * enough for spam by itself.
 */
@Injectable()
export class LearnedSignal implements SlowSignal {
  readonly name = learned.name;
  readonly points = learned.points;
  readonly enabled = learned.enabled;
  readonly again = learned.again;

  /** The models of forms, by account and form. */
  private readonly known = new ReadCache((keys) => this.read(keys));

  constructor(private readonly models: SpamModelsRepository) {}

  /** Most forms have never had so many marks. */
  readonly isSilent = ({ form }: SpamEvidence): boolean => {
    const models = this.known.peek(keyOf(form));
    return models !== null && marksOf(sumOf(models)) < MARKS_MIN;
  };

  readonly look = async (
    { form, fields }: SpamEvidence,
    settings: FormRules,
  ): Promise<SpamPart | null> => {
    const models = (await this.known.get(keyOf(form))) ?? [];
    const total = sumOf(models);
    const marks = marksOf(total);
    if (marks < MARKS_MIN) return null;
    const words = new Map(wordsOf(fields).map((word) => [digestOf(word), word]));
    const ids = models.map(({ id }) => id);
    const counts = await this.models.countsOf(ids, [...words.keys()]);
    const known = new Map<string, LearntCount>();
    for (const [digest, word] of words) {
      const count = counts.get(digest.toString('latin1'));
      if (count) known.set(word, count);
    }
    const { probability, telling } = likenessOf(known, total);
    if (probability < PROBABILITY_MIN) return null;
    const part = settings.part(this.name, reasonOf(telling));
    const most = marks < MARKS_SURE ? UNSURE_POINTS : settings.spamAt - 1;
    return { ...part, points: Math.min(part.points, most) };
  };

  /** Reads the models of all forms of an account at once. */
  private async read(keys: string[]): Promise<Map<string, SpamModel[]>> {
    const found = new Map<string, SpamModel[]>();
    const accountIds = new Set(keys.map((key) => Number(key.split(' ')[0])));
    for (const accountId of accountIds) {
      const mine = keys.filter((key) => key.startsWith(`${accountId} `));
      const formIds = mine.map((key) => Number(key.split(' ')[1]));
      const models = await this.models.listFor(accountId, formIds);
      mine.forEach((key, index) => {
        const judges = ({ formId }: SpamModel) => formId === ALL_FORMS || formId === formIds[index];
        found.set(key, models.filter(judges));
      });
    }
    return found;
  }
}

function keyOf({ accountId, id }: SpamEvidence['form']): string {
  return `${accountId} ${id}`;
}

/** Returns how many marks there are of each kind at least. */
function marksOf({ spam, ham }: LearntCount): number {
  return Math.min(spam, ham);
}

function sumOf(counts: readonly LearntCount[]): LearntCount {
  return counts.reduce((sum, { spam, ham }) => ({ spam: sum.spam + spam, ham: sum.ham + ham }), {
    spam: 0,
    ham: 0,
  });
}

function reasonOf(telling: readonly string[]): string {
  const named = telling.slice(0, NAMED_WORDS).map((word) => `"${word}"`);
  return `It uses words of submissions that were marked as spam: ${named.join(', ')}.`;
}
