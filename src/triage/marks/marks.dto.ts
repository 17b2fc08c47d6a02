import { asked, listOf } from '../../platform/http/index.js';
import { IsUUID, ArrayMaxSize, IsArray } from 'class-validator';
import { Flag, Optional, Parsed, Required } from '../../platform/index.js';
import type { Marks } from './triage.service.js';
import { UNREAD_MAX, type UnreadCount } from '../read-state/unread-counts.service.js';
import { parseTag, TAG_MAX } from '../../forms/model/form-values.js';
import { TAGS_MAX } from '../../submissions/filter/submission-filter.js';

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

const MESSAGE = `must be a list of strings of 1 to ${TAG_MAX} characters without quotes and commas`;

/** Brings a list of tags into its normal form; null when one is none. */
function parseTags(value: unknown) {
  if (!Array.isArray(value)) return null;
  const tags = value.map(parseTag).filter((tag) => tag !== null);
  return tags.length === value.length ? [...new Set(tags)] : null;
}

/** The tags of a submission, in the order of the alphabet. */
export class TagsDto {
  tags: string[];
}

/** All tags that a submission is to have. */
export class ReplaceTagsDto {
  /** At most 20 texts of 1 to 40 characters; kept in lower case. */
  @ArrayMaxSize(TAGS_MAX, { message: `must not have more than ${TAGS_MAX} entries` })
  @Parsed('not_tags', parseTags, MESSAGE)
  @IsArray({ message: MESSAGE })
  @Required()
  tags: string[];
}
