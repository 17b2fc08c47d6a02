import { asked } from '../../platform/http/index.js';
import { IsIn } from 'class-validator';
import { formatUuid, Flag, Optional, Required, Text } from '../../platform/index.js';
import { NAME_MAX, type SavedView, type ViewSettings } from './saved-view.entity.js';
import { ApiProperty } from '@nestjs/swagger';
import { EVERY, type Every } from '../../mail/parts/message.js';

/** Longest line, in characters: with a form in front it still fits into `q`, which takes 255. */
const LINE_MAX = 230;

class NewViewDto {
  /** 1 to 60 characters. */
  @Text({ min: 1, max: NAME_MAX, trim: true })
  @Required()
  name: string;

  /** A line such as `is:unread tag:urgent`, at most 230 characters; `""` for all but spam and the trash. */
  @Text({ max: LINE_MAX, trim: true })
  @Required()
  q: string;

  /** Identifier of the form that alone is meant; `q` begins with it then. */
  @Text({ max: 16 })
  @Optional()
  form?: string;

  /** Whether it is the team's, which needs `submissions:write`; otherwise it is your own. */
  @Flag()
  @Optional()
  team?: boolean;
}

export class CreateViewDto extends asked('view', NewViewDto) {
  static settings({ view: { name, q, team = false } }: CreateViewDto): ViewSettings {
    return { name, line: q, isTeams: team };
  }
}

/** Changes to a view. Absent fields stay as they are. */
class ViewChangesDto {
  @Text({ min: 1, max: NAME_MAX, trim: true })
  @Optional()
  name?: string;

  @Text({ max: LINE_MAX, trim: true })
  @Optional()
  q?: string;

  /** False makes a view of the team your own. */
  @Flag()
  @Optional()
  team?: boolean;
}

export class ChangeViewDto extends asked('view', ViewChangesDto) {
  static settings({ view: { name, q, team } }: ChangeViewDto): Partial<ViewSettings> {
    return {
      ...(name !== undefined && { name }),
      ...(q !== undefined && { line: q }),
      ...(team !== undefined && { isTeams: team }),
    };
  }
}

/** A filter under a name. */
export class SavedViewDto {
  id: string;
  name: string;
  /** The filter, for `q` of lists and exports. */
  q: string;
  /** Whether it is the team's; otherwise it is your own. */
  team: boolean;

  static of({ id, name, line, isTeams }: SavedView): SavedViewDto {
    return { id: formatUuid(id), name, q: line, team: isTeams };
  }
}

/** Your own views and the team's, by name. */
export class SavedViewListDto {
  views: SavedViewDto[];
}

export class SetDigestDto {
  /** `day`, or `week` for Mondays. */
  @IsIn(EVERY, { message: `must be one of ${EVERY.join(', ')}` })
  @Required()
  every: Every;
}

/** How often you are told of a view. */
export class DigestDto {
  /** Null for never. */
  @ApiProperty({ enum: EVERY, nullable: true, type: String })
  every: Every | null;
}
