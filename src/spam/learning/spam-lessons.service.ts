import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { AccountChangeForbidden } from '../../accounts/account.errors.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { type LearntCount, likenessOf } from './likeness.js';
import { SpamLessonsRepository, SpamModelsRepository } from './spam-models.repository.js';
import { ALL_FORMS, type SpamModel, type SpamKind, type SpamLesson } from './spam-model.entity.js';
import { ReadCache } from '../../platform/index.js';
import type { SpamEvidence, FormRules, SlowSignal } from '../evidence/spam-evidence.js';
import { learned } from '../signals/learned.js';
import type { SpamPart } from '../evidence/verdict.js';
import { digestOf, wordsOf, type FieldText } from './words-of.js';
import { Ledger } from './ledger.js';
import { Projected, type Erased, type Projection } from '../../forms/projections.js';

/** Marks of each kind below which nothing is judged by what was learnt. */
export const MARKS_MIN = 50;

/** Counts of the training of an account. */
export interface Learnt {
  /** By marks of its own people, for all forms. */
  own: LearntCount;
  /** By marks of clients, each for the form alone. */
  byClients: LearntCount;
}

/** Shows owners what was learnt, and forgets it for them. */
@Injectable()
export class SpamLearning {
  constructor(
    private readonly models: SpamModelsRepository,
    private readonly lessons: SpamLessonsRepository,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws AccountChangeForbidden */
  async show(principal: Principal): Promise<Learnt> {
    assertOfAccount(principal);
    const learnt = { own: { spam: 0, ham: 0 }, byClients: { spam: 0, ham: 0 } };
    for (const { formId, spam, ham } of await this.models.listFor(principal.accountId)) {
      const sum = formId === ALL_FORMS ? learnt.own : learnt.byClients;
      sum.spam += spam;
      sum.ham += ham;
    }
    return learnt;
  }

  /**
   * Forgets all that the account has taught. Marks stay as they are.
   * @throws AccountChangeForbidden
   */
  async reset(principal: Principal) {
    assertOfAccount(principal);
    const { accountId } = principal;
    await this.unitOfWork.run(async (tx) => {
      await this.models.in(tx).abandon({ accountId });
      await this.lessons.in(tx).removeOf(accountId);
      await this.audit.recordBy(tx, principal, {
        action: 'account.spam_learning_reset',
        target: { kind: 'account', id: accountId, name: null },
      });
    });
  }
}

/** @throws AccountChangeForbidden for a client, of whom nothing here is */
function assertOfAccount({ clientId }: Principal) {
  if (clientId !== null) throw new AccountChangeForbidden();
}

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
    const models = this.known.peek(formKey(form));
    return models !== null && marksOf(sumOf(models)) < MARKS_MIN;
  };

  readonly look = async ({ form, fields }: SpamEvidence, settings: FormRules): Promise<SpamPart | null> => {
    const models = (await this.known.get(formKey(form))) ?? [];
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
  private async read(keys: string[]) {
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

function formKey({ accountId, id }: SpamEvidence['form']) {
  return `${accountId} ${id}`;
}

/** Returns how many marks there are of each kind at least. */
function marksOf({ spam, ham }: LearntCount) {
  return Math.min(spam, ham);
}

function sumOf(counts: readonly LearntCount[]) {
  return counts.reduce((sum, { spam, ham }) => ({ spam: sum.spam + spam, ham: sum.ham + ham }), { spam: 0, ham: 0 });
}

function reasonOf(telling: readonly string[]) {
  const named = telling.slice(0, NAMED_WORDS).map((word) => `"${word}"`);
  return `It uses words of submissions that were marked as spam: ${named.join(', ')}.`;
}

/** Submissions of each kind that a model keeps in mind; it forgets the oldest beyond. */
export const LESSONS_MAX = 500;
/** Lessons that one transaction learns; the embedded database lets nobody else write meanwhile. */
const LESSONS_AT_ONCE = 10;

/** A submission as it is now, for learning from it. */
export interface MarkedSubmission {
  id: Buffer;
  isSpam: boolean;
  /** Whether somebody kept or dealt with it: it has a star, or is done. */
  isKept: boolean;
  fields: readonly FieldText[];
}

/** Reads any of these submissions that still exist, some at a time. */
export type ReadMarked = (tx: EntityManager, ids: readonly Buffer[]) => AsyncGenerator<MarkedSubmission[]>;

/** Learns from what people mark, after they have. */
@Injectable()
@Projected({ tables: ['spam_lessons', 'spam_models'], areTakenBack: true })
export class SpamLessons implements Projection {
  constructor(
    private readonly lessons: SpamLessonsRepository,
    private readonly models: SpamModelsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Remembers that submissions of a form were marked, in the transaction that marks them.
   * @param scope of who marked them: a client's marks count for the form alone
   * @param said what they are said to be; null when other marks have changed
   */
  async enqueue(
    tx: EntityManager,
    { accountId, clientId }: Scope,
    formId: number,
    ids: readonly Buffer[],
    said: SpamKind | null,
  ) {
    if (ids.length === 0) return;
    const whose = { accountId, formId: clientId === null ? ALL_FORMS : formId };
    await this.lessons.in(tx).enqueue(whose, ids, said);
  }

  /** Has what was learnt from submissions taken back, in the transaction that removes them. */
  async forget(tx: EntityManager, { ids }: Erased) {
    await this.lessons.in(tx).renew(ids);
  }

  /** Forgets what was learnt for a deleted form alone. */
  async forgetForm(formId: number) {
    await this.unitOfWork.run((tx) => this.models.in(tx).abandon({ formId }));
  }

  /**
   * Learns from some marks, or takes back what is no longer marked; and removes what was abandoned.
   * @returns how many rows it dealt with; 0 when none are left
   */
  async learnSome(read: ReadMarked) {
    const pending = await this.lessons.pending(LESSONS_AT_ONCE);
    return this.unitOfWork.run(async (tx) => {
      if (pending.length === 0) return this.models.in(tx).sweep();
      await this.learn(tx, pending, read);
      return pending.length;
    });
  }

  /** Learns those that no other worker takes. All counts move by what is added, so two may work at once. */
  private async learn(tx: EntityManager, pending: SpamLesson[], read: ReadMarked) {
    const lessons = this.lessons.in(tx);
    const taken = await lessons.take(pending);
    const known = await this.models.in(tx).listFor(pending[0]?.accountId ?? 0);
    const marked = await readAll(tx, taken, read);
    const ledger = new Ledger();
    for (const lesson of taken) {
      const now = marked.get(keyOf(lesson)) ?? null;
      const kind = now && kindOf(lesson, now);
      const before = known.find(({ id }) => id === lesson.modelId);
      if (before && kind === lesson.taught && before.formId === lesson.formId) continue;
      ledger.takeBack(before, lesson);
      await lessons.save(lesson);
      const model = kind && (await this.modelFor(tx, known, lesson));
      if (!now || !kind || !model || (await this.isTooOld(tx, model, kind, lesson))) {
        await lessons.remove(lesson);
        continue;
      }
      lesson.words ??= now.words;
      ledger.teach(model, lesson, kind);
      await lessons.save(lesson);
    }
    for (const model of [...ledger.changes.keys()]) await this.trim(tx, model, ledger);
    for (const [model, change] of ledger.changes) await this.models.in(tx).add(model, change);
  }

  private async modelFor(tx: EntityManager, known: SpamModel[], { accountId, formId }: SpamLesson) {
    const found = known.find((model) => model.formId === formId);
    if (found) return found;
    const created = await this.models.in(tx).create(accountId, formId);
    known.push(created);
    return created;
  }

  /** Tells whether a model that is full has only newer submissions of the kind in mind. */
  private async isTooOld(tx: EntityManager, model: SpamModel, kind: SpamKind, { accountId, submissionId }: SpamLesson) {
    if (model[kind] < LESSONS_MAX) return false;
    const [oldest] = await this.lessons.in(tx).oldest(accountId, model.id, kind, 1);
    return oldest !== undefined && submissionId.compare(oldest.submissionId) < 0;
  }

  /** Takes back what is too much for a model. */
  private async trim(tx: EntityManager, model: SpamModel, ledger: Ledger) {
    const lessons = this.lessons.in(tx);
    for (const kind of ['spam', 'ham'] as const) {
      const excess = model[kind] - LESSONS_MAX;
      if (excess <= 0 || model.accountId === null) continue;
      for (const lesson of await lessons.oldest(model.accountId, model.id, kind, excess)) {
        if (await lessons.remove(lesson)) ledger.takeBack(model, lesson);
      }
    }
  }
}

/** Says what a submission is an example of; null for nothing. */
function kindOf({ said }: SpamLesson, now: Pick<MarkedSubmission, 'isSpam' | 'isKept'>) {
  if (said !== null) return said;
  return now.isKept && !now.isSpam ? 'ham' : null;
}

/** Reads the submissions of lessons, with the digests of their words, by the id as Latin-1. */
async function readAll(tx: EntityManager, lessons: readonly SpamLesson[], read: ReadMarked) {
  const found = new Map<string, { isSpam: boolean; isKept: boolean; words: Buffer }>();
  const ids = lessons.map(({ submissionId }) => submissionId);
  for await (const some of read(tx, ids)) {
    for (const { id, isSpam, isKept, fields } of some) {
      const words = Buffer.concat(wordsOf(fields).map(digestOf));
      found.set(id.toString('latin1'), { isSpam, isKept, words });
    }
  }
  return found;
}

function keyOf({ submissionId }: SpamLesson) {
  return submissionId.toString('latin1');
}
