import { asked, wrapped } from '../../platform/http/index.js';
import { IsString } from 'class-validator';
import { Optional } from '../../platform/index.js';
import type { ListTexts } from './spam-list.entity.js';

/** Block and allow lists of a form: one entry per line. */
export class ListTextsDto {
  /** Submissions with one of these entries get the points of the signal `lists`. */
  block: string;
  /** Submissions from one of these entries are clean, unless they filled a honeypot. */
  allow: string;

  static of({ block, allow }: ListTexts): ListTextsDto {
    return { block, allow };
  }
}

export class SpamListsDto extends wrapped('lists', ListTextsDto) {}

/** Changes to the block and allow lists of a form. Absent fields stay as they are. */
class SetListTextsDto {
  /**
   * At most 100,000 entries, one a line: words and phrases, `casino*`, addresses, domains with those below them,
   * and networks such as `203.0.113.0/24`.
   */
  @IsString({ message: 'must be a string' })
  @Optional()
  block?: string;

  /** The same for what is let through. */
  @IsString({ message: 'must be a string' })
  @Optional()
  allow?: string;
}

export class SetSpamListsDto extends asked('lists', SetListTextsDto) {}
