import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { parseUuid } from '../../../platform/kernel/uuid.js';
import { Flag, Optional, Parsed, Required } from '../../../platform/kernel/validation.js';
import type { BulkChanges } from '../bulk.service.js';
import { parseTag, TAG_MAX } from '../mark-names.js';

/** Most submissions that one request changes. */
const BULK_MAX = 100;

const TAG_MESSAGE = `must be a text of 1 to ${TAG_MAX} characters without quotes and commas`;
const IDS_MESSAGE = 'must be a list of ids of submissions';

function parseIds(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const ids = value.map((each) => String(each).toLowerCase());
  return ids.every((id) => parseUuid(id) !== null) ? [...new Set(ids)] : null;
}

/** What is to be changed of each. Absent: stays as it is. */
export class BulkChangesDto {
  /** Whether you have read them; for this, `submissions:read` is enough. */
  @Flag()
  @Optional()
  read?: boolean;

  @Flag()
  @Optional()
  starred?: boolean;

  @Flag()
  @Optional()
  done?: boolean;

  /** Whether they are spam; the counts follow, and what is taken back is delivered. */
  @Flag()
  @Optional()
  spam?: boolean;

  @Flag()
  @Optional()
  trash?: boolean;

  /** A tag that they get beside their others. */
  @Parsed('not_a_tag', parseTag, TAG_MESSAGE)
  @Optional()
  add_tag?: string;

  /** A tag that they lose. */
  @Parsed('not_a_tag', parseTag, TAG_MESSAGE)
  @Optional()
  remove_tag?: string;
}

/** Changes of several submissions, of any forms. */
export class BulkDto {
  /** Ids of at most 100 submissions. */
  @ArrayMaxSize(BULK_MAX, { message: `must not have more than ${BULK_MAX} entries` })
  @Parsed('not_ids', parseIds, IDS_MESSAGE)
  @IsArray({ message: IDS_MESSAGE })
  @Required()
  ids: string[];

  @ValidateNested()
  @Type(() => BulkChangesDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  changes: BulkChangesDto;

  static changes({ changes: { add_tag, remove_tag, ...marks } }: BulkDto): BulkChanges {
    return {
      ...marks,
      ...(add_tag !== undefined && { addTag: add_tag }),
      ...(remove_tag !== undefined && { removeTag: remove_tag }),
    };
  }

  static ids({ ids }: BulkDto): Buffer[] {
    return ids.map(parseUuid).filter((id) => id !== null);
  }
}

/** What was changed. */
export class BulkChangedDto {
  /** Ids of those that were not so before; taking the change back from them restores what was. */
  changed: string[];
}
