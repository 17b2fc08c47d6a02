import { hasRules } from '../../../forms/model/form-fields.js';
import { ApiProperty } from '@nestjs/swagger';
import { asked, wrapped } from '../../../platform/http/index.js';
import { IsIn, Matches } from 'class-validator';
import { PROVIDERS, type Provider } from '../../../forms/aliases/old-address.js';
import { Flag, Optional, Required, Text } from '../../../platform/index.js';
import { MOVE_KINDS, type Moved, type MovedForm, type MoveKind, type MoveText } from '../moves.service.js';

/** Longest text, in characters. */
const CONTENT_MAX = 1_000_000;

class NewMoveDto {
  /** Kind of the text: an HTML `page`, a `formspree` file (formspree.json), or lines of `ids`. */
  @ApiProperty({ enum: MOVE_KINDS })
  @IsIn(MOVE_KINDS, { message: `must be one of ${MOVE_KINDS.join(', ')}` })
  @Required()
  kind: MoveKind;

  /** The text, at most 1,000,000 characters. */
  @Text({ min: 1, max: CONTENT_MAX })
  @Required()
  content: string;

  /** The provider of ids that stand alone. */
  @IsIn(PROVIDERS, { message: `must be one of ${PROVIDERS.join(', ')}` })
  @Optional()
  provider?: Provider;

  /** Formspree's project, as the addresses of its pages name it: `/p/PROJECT/f/contact`. */
  @Matches(/^[\w-]{1,64}$/, { message: 'must be the id of a project' })
  @Optional()
  project?: string;
}

export class MakeMoveDto extends asked('move', NewMoveDto) {
  /** Whether nothing is made, and the answer says what would be. */
  @Flag()
  @Optional()
  dry_run?: boolean;

  static text({ move }: MakeMoveDto): MoveText {
    const { kind, content, provider = null, project = null } = move;
    return { kind, content, provider, project };
  }
}

export class MovedLabelDto {
  name: string;
  label: string;
}

/** A form that was made for one at another provider. */
export class MovedFormDto {
  name: string;
  /** Identifier of the form; null when nothing was made. */
  identifier: string | null;
  /** Whether the form was here before, since the old id leads to it. */
  existed: boolean;
  provider: Provider | null;
  /** The old id; null where the text names none. */
  value: string | null;
  /** Whether the old id leads to the form, or would. */
  reached: boolean;
  labels: MovedLabelDto[];
  /** Names of the fields with rules, as the page or the file has them. */
  ruled_fields: string[];

  static of({ plan, identifier, wasHere, isReached }: MovedForm): MovedFormDto {
    const { name, provider, old, fields } = plan;
    return {
      ...{ name, identifier, existed: wasHere, provider, value: old?.value ?? null },
      reached: isReached,
      labels: fields.flatMap(({ name, label }) => (label ? [{ name, label }] : [])),
      ruled_fields: fields.filter(hasRules).map(({ name }) => name),
    };
  }
}

export class MovedDto {
  forms: MovedFormDto[];
  /** The page with its forms sent to the new addresses; null for other texts and a dry run. */
  page: string | null;

  static of({ forms, page }: Moved): MovedDto {
    return { forms: forms.map((form) => MovedFormDto.of(form)), page };
  }
}

export class MoveDto extends wrapped('move', MovedDto) {}
