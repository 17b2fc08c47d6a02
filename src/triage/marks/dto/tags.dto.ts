import { ArrayMaxSize, IsArray } from 'class-validator';
import { Parsed, Required } from '../../../platform/kernel/validation.js';
import { parseTag, TAG_MAX } from '../../../forms/model/form-values.js';
import { TAGS_MAX } from '../../../submissions/filter/mark-names.js';

const MESSAGE = `must be a list of strings of 1 to ${TAG_MAX} characters without quotes and commas`;

/** Brings a list of tags into its normal form; null when one is none. */
function parseTags(value: unknown): string[] | null {
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
