import { asked, listOf } from '../../../platform/http/shapes.js';
import { IsUUID } from 'class-validator';
import { Flag, Optional } from '../../../platform/kernel/validation.js';
import type { Marks } from '../triage.service.js';
import { UNREAD_MAX, type UnreadCount } from '../../read-state/unread-counts.service.js';

/** The marks of a submission. */
export class MarksOfSubmissionDto implements Marks {
  /** Whether whoever asks has read it: kept for each person, and for each token. */
  read: boolean;
  /** Whether it has a star. */
  starred: boolean;
  /** Whether somebody has answered the visitor. */
  answered: boolean;
  /** Whether it is dealt with: it is then in the folder Done. */
  done: boolean;
}

export class MarksDto {
  marks: MarksOfSubmissionDto;
}

/** Marks to change. Absent: stays as it is. */
class MarkChangesDto {
  /** Whether you have read it; for this, `submissions:read` is enough. */
  @Flag()
  @Optional()
  read?: boolean;

  /** Whether it has a star. */
  @Flag()
  @Optional()
  starred?: boolean;

  /** Whether somebody has answered the visitor. */
  @Flag()
  @Optional()
  answered?: boolean;

  /** Whether it is dealt with. */
  @Flag()
  @Optional()
  done?: boolean;
}

export class ChangeMarksDto extends asked('marks', MarkChangesDto) {}

export class ReadAllDto {
  /** The newest submission that counts as read; by default all that are there. */
  @IsUUID('all', { message: 'must be the id of a submission' })
  @Optional()
  up_to?: string;
}

export class UnreadOfFormDto {
  /** Identifier of the form. */
  form: string;
  /** New submissions that you have not read, at most 100. */
  unread: number;
  /** Whether there may be more than `unread` says. */
  or_more: boolean;

  static of({ form, unread }: UnreadCount): UnreadOfFormDto {
    return { form: form.identifier, unread, or_more: unread >= UNREAD_MAX };
  }
}

export class UnreadDto extends listOf('forms', UnreadOfFormDto) {}
