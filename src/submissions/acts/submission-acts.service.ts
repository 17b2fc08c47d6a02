import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assigneeIn, STARRED, tagsIn } from '../filter/submission-filter.js';
import { type Act, SubmissionAct } from './submission-act.entity.js';
import { hook, Hooks } from '../../platform/index.js';
import type { Principal } from '../../accounts/access/index.js';
import type { Submission } from '../model/submission.entity.js';
import { SubmissionActsRepository } from './submission-acts.repository.js';

/** Returns what it is to give a submission this mark. */
export function actOfGiving(mark: string): Act {
  const [tag] = tagsIn([mark]);
  if (tag !== undefined) return { kind: 'tagged', detail: tag };
  const person = assigneeIn([mark]);
  if (person !== null) return { kind: 'assigned', detail: String(person) };
  return { kind: mark === STARRED ? 'starred' : 'answered', detail: null };
}

/** Returns what it is to take this tag, star or answer from a submission. */
export function actOfTaking(mark: string): Act {
  const [tag] = tagsIn([mark]);
  if (tag !== undefined) return { kind: 'untagged', detail: tag };
  return { kind: mark === STARRED ? 'unstarred' : 'not_answered', detail: null };
}

/** Returns what is done to a submission that is moved to a folder; nothing where it is there already. */
export function actsOfMoving(
  id: Buffer,
  was: { spam: boolean; trash: boolean },
  { spam = was.spam, trash = was.trash }: { spam?: boolean; trash?: boolean },
): ActOnMany[] {
  const acts: Act['kind'][] = [];
  if (spam !== was.spam) acts.push(spam ? 'spam' : 'not_spam');
  if (trash !== was.trash) acts.push(trash ? 'trashed' : 'restored');
  return acts.map((kind) => ({ kind, detail: null, ids: [id] }));
}

/** Most acts that are kept of one submission, the last ones; looks are counted for themselves. */
export const ACTS_MAX = 200;
/** Most that is kept of what edits of one submission changed, in bytes; the last edit is kept whatever it has. */
const CHANGES_MAX_BYTES = 256 * 1024;
/** Most people of whom is kept when they first saw a submission. */
const LOOKS_MAX = 200;

/** An action on several submissions. */
export interface ActOnMany extends Act {
  ids: readonly Buffer[];
}

/** Runs in the transaction of acts on submissions of a form, once they are kept. */
export const ActsRecorded = hook<(tx: EntityManager, formId: number, acts: readonly ActOnMany[]) => Promise<void>>();

/** Keeps who did what to submissions, in the transaction that does it. */
@Injectable()
export class SubmissionActs {
  constructor(
    private readonly acts: SubmissionActsRepository,
    private readonly hooks: Hooks,
  ) {}

  /** Keeps acts of whoever asks, on submissions that are locked and were not so before. */
  async record(
    tx: EntityManager,
    principal: Pick<Principal, 'actor' | 'clientId'>,
    formId: number,
    acts: readonly ActOnMany[],
  ) {
    const rows = acts.flatMap((act) => act.ids.map((id) => SubmissionAct.create(principal, { id, formId }, act)));
    if (rows.length === 0) return;
    await this.acts.in(tx).insert(rows);
    await this.acts.in(tx).trim([...new Set(acts.flatMap(({ ids }) => ids))], ACTS_MAX);
    for (const { submissionId } of rows.filter(({ changes }) => changes !== null)) {
      await this.acts.in(tx).trimChanges(submissionId, CHANGES_MAX_BYTES);
    }
    await this.hooks.run(ActsRecorded, tx, formId, acts);
  }

  /** Keeps when a person first saw a submission; tokens and those who look as somebody else leave nothing. */
  async recordLook(tx: EntityManager, principal: Principal, submission: Pick<Submission, 'id' | 'formId'>) {
    if (principal.actor.kind !== 'person' || principal.isOnlyLooking) return;
    const look = SubmissionAct.create(principal, submission, { kind: 'seen', detail: null });
    await this.acts.in(tx).insertLook(look, LOOKS_MAX);
  }

  /** Returns what was done to a submission, whose scope was checked already; oldest first. */
  listFor(submissionId: Buffer): Promise<SubmissionAct[]> {
    return this.acts.listFor(submissionId);
  }
}
