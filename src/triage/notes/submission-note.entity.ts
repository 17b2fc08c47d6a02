import { Column, Entity, Index } from 'typeorm';
import { GoesWith, Time, Uuid, UuidKey, Expires } from '../../platform/database/index.js';
import type { Actor } from '../../accounts/access/index.js';
import { MINUTE_MS, makeUuid, timeOf } from '../../platform/index.js';
import type { Mention } from './mentions.js';

/** Longest note, in characters: UTF-8 makes at most four bytes of each, and the column holds 65,535. */
export const NOTE_MAX = 10_000;
const NAME_MAX = 255;

/** How long a removed note can be put back, in milliseconds. */
export const RESTORABLE_MS = 10 * MINUTE_MS;

/** Stores a text on a submission, for those who see it and never for its visitor. */
@Expires<SubmissionNote>('removedAt', RESTORABLE_MS)
@Entity('submission_notes')
@GoesWith<SubmissionNote>('submissionId')
@Index('ix_submission_notes_submission', ['submissionId', 'id'])
@Index('ix_submission_notes_removed', ['removedAt'])
export class SubmissionNote {
  /** A UUID version 7: its time is that of the note. */
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  @Uuid() submissionId: Buffer;
  @Column('varchar', { length: 16 }) authorKind: Actor['kind'];
  @Column('int', { nullable: true }) authorId: number | null;
  /** Name of the person or the token at that time. */
  @Column('varchar', { length: NAME_MAX }) authorName: string;
  @Column('text') text: string;
  /** JSON of an array; null for nobody. */
  @Column('text', { name: 'mentions', nullable: true }) private mentionsJson: string | null;
  /** When it was removed, which can be taken back for a while; null for a note that is there. */
  @Time({ nullable: true }) removedAt: Date | null;

  static create(
    formId: number,
    submissionId: Buffer,
    actor: Actor,
    text: string,
    mentions: readonly Mention[],
  ): SubmissionNote {
    return Object.assign(new SubmissionNote(), {
      id: makeUuid(),
      formId,
      submissionId,
      authorKind: actor.kind,
      authorId: actor.id,
      authorName: actor.name.slice(0, NAME_MAX),
      text,
      removedAt: null,
      mentionsJson: mentions.length > 0 ? JSON.stringify(mentions) : null,
    });
  }

  get createdAt(): Date {
    return timeOf(this.id);
  }

  /** Returns whom it mentions, in the order of the text. */
  readMentions(): Mention[] {
    return JSON.parse(this.mentionsJson ?? '[]') as Mention[];
  }

  isBy({ kind, id }: Actor) {
    return this.authorKind === kind && this.authorId === id;
  }
}
