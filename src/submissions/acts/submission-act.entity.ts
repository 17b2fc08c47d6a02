import { Column, Entity, Index } from 'typeorm';
import { GoesWith, UuidKey } from '../../platform/database/index.js';
import type { Actor, Principal } from '../../accounts/access/index.js';
import type { Submission } from '../model/submission.entity.js';
import { makeUuid, timeOf } from '../../platform/index.js';

/** Kind of an action on a submission, as its timeline names it. */
export type ActKind =
  | 'seen'
  | 'done'
  | 'not_done'
  | 'starred'
  | 'unstarred'
  | 'answered'
  | 'not_answered'
  | 'tagged'
  | 'untagged'
  | 'assigned'
  | 'unassigned'
  | 'spam'
  | 'not_spam'
  | 'trashed'
  | 'restored'
  | 'edited'
  | 'sent_anyway';

/** A field that somebody changed, with its values as a person reads them; null where it was not there. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** An action, with its tag or the id of its assignee; null for actions without. */
export interface Act {
  kind: ActKind;
  detail: string | null;
  /** Changes of an edit; nothing for other actions. */
  changes?: readonly FieldChange[] | null;
}

const NAME_MAX = 255;

/** Says who did what to a submission. Whoever looks has one row, of the first time. */
@Entity('submission_acts')
@GoesWith<SubmissionAct>('submissionId')
@Index('uq_submission_acts_seen', ['submissionId', 'seenBy'], { unique: true })
export class SubmissionAct implements Act {
  @UuidKey() submissionId: Buffer;
  /** A UUID version 7: its time is that of the act. */
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  @Column('varchar', { length: 16 }) kind: ActKind;
  @Column('varchar', { length: 64, nullable: true }) detail: string | null;
  /** The changes of an edit, none where they are not kept any more; null for other acts. */
  @Column('mediumtext', {
    nullable: true,
    transformer: {
      to: (changes: FieldChange[] | null) => changes && JSON.stringify(changes),
      from: (json: string | null) => json && (JSON.parse(json) as FieldChange[]),
    },
  })
  changes: FieldChange[] | null;
  @Column('varchar', { length: 16 }) actorKind: Actor['kind'];
  @Column('int', { nullable: true }) actorId: number | null;
  /** Name of the person or the token at that time. */
  @Column('varchar', { length: NAME_MAX }) actorName: string;
  /** The client for whom the actor acted; null for members and tokens of the account. */
  @Column('int', { nullable: true }) clientId: number | null;
  /** Id of the person who looked; null for every other act. */
  @Column('int', { nullable: true }) seenBy: number | null;

  static create(
    { actor, clientId }: Pick<Principal, 'actor' | 'clientId'>,
    { id: submissionId, formId }: Pick<Submission, 'id' | 'formId'>,
    { kind, detail, changes = null }: Act,
  ): SubmissionAct {
    return Object.assign(new SubmissionAct(), {
      ...{ submissionId, formId, kind, detail, changes, clientId },
      id: makeUuid(),
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name.slice(0, NAME_MAX),
      seenBy: kind === 'seen' ? actor.id : null,
    });
  }

  get at(): Date {
    return timeOf(this.id);
  }
}
