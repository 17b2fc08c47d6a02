import { SumsDto } from '../../statistics/statistics.dto.js';
import { WarningDto } from '../../health/warnings.dto.js';
import { spamShare, orderOf, ORDERS, type FleetFilter, type FleetOrder, type OrderName } from './fleet-filter.js';
import type { FleetForm, FleetPage } from './fleet.service.js';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, MaxLength, Min, ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { PageQueryDto, PER_PAGE_MAX, asked } from '../../platform/http/index.js';
import { Optional, Nested, Flag, Required } from '../../platform/index.js';
import { ApiProperty } from '@nestjs/swagger';
import { type FormFate, FORMS_CHANGED_MAX, type FleetChange } from './fleet-change.js';
import type { WatchState } from '../../health/watch/signs.js';
import { SettingsDto } from '../../forms/dto/form.dto.js';

class FleetClientDto {
  id: number;
  name: string;
}

/** How a form is watched. */
class FleetWatchDto {
  /** As at the watch of the form: `off`, `learning`, `alive`, `silent` or `never_connected`. */
  state: WatchState;
}

/** A form with how it fares. */
class FleetFormDto {
  id: number;
  name: string;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;
  /** The clients that see the form; none for a client, and without the right `clients:read`. */
  clients: FleetClientDto[];
  /** When the newest submission came; null without one, and without the right `submissions:read`. */
  last_submission_at: string | null;
  /** Sums of the last 30 days of UTC, today with them; null without the right `submissions:read`. */
  last_30_days: SumsDto | null;
  /** Part of what came in these days that is spam, from 0 to 1; null without the right `submissions:read`. */
  spam_share: number | null;
  /** How it fares by its rhythm; null without the right `submissions:read`. */
  watch: FleetWatchDto | null;
  /** Reasons why the form does not do what its owner expects. */
  warnings: WarningDto[];
  /** Whether the form takes submissions now. */
  takes_submissions: boolean;
  /** Why not: `form_paused`, `form_not_open_yet`, `form_closed` or `form_full`; null if it takes them. */
  closed_because: string | null;

  static of({ form, clients, received, watch, findings, shut }: FleetForm): FleetFormDto {
    return {
      id: form.id,
      name: form.name,
      identifier: form.identifier,
      submission_count: form.submissionCount,
      clients: clients.map(({ id, name }) => ({ id, name })),
      last_submission_at: received?.latestAt?.toISOString() ?? null,
      last_30_days: received && SumsDto.of(received),
      spam_share: received && spamShare(received),
      watch: watch && { state: watch.state },
      warnings: findings.map((finding) => WarningDto.of(finding)),
      takes_submissions: shut === null,
      closed_because: shut?.code ?? null,
    };
  }
}

/** A page of the forms of an account, with how they fare. */
export class FleetDto {
  forms: FleetFormDto[];

  static of({ forms }: FleetPage): FleetDto {
    return { forms: forms.map((form) => FleetFormDto.of(form)) };
  }
}

/** Longest search, in characters. */
const QUERY_MAX = 255;

/** Asks for a page of the fleet. */
export class FleetQueryDto extends PageQueryDto {
  /** Words that the name must have, in any case. */
  @MaxLength(QUERY_MAX, { message: `must not exceed ${QUERY_MAX} characters` })
  @Optional()
  q?: string;

  /** Only forms that this client sees. */
  @Min(1, { message: 'must be the id of a client' })
  @IsInt({ message: 'must be the id of a client' })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  )
  @Optional()
  client_id?: number;

  /** `true` for forms with warnings alone. */
  @IsIn(['true', 'false'], { message: 'must be true or false' })
  @Optional()
  problems?: 'true' | 'false';

  /** Column to sort by; a minus in front turns the order round. The oldest form is first by default. */
  @IsIn(ORDERS, { message: `must be one of ${ORDERS.join(', ')}` })
  @Optional()
  sort?: OrderName;

  static filter({ q, client_id, problems }: FleetQueryDto): FleetFilter {
    return { q: q?.trim() ?? '', clientId: client_id ?? null, hasProblems: problems === 'true' };
  }

  static order({ sort }: FleetQueryDto): FleetOrder {
    return orderOf(sort ?? 'created');
  }

  static slice(query: FleetQueryDto): { page: number; perPage: number } {
    return PageQueryDto.page(query) ?? { page: 1, perPage: PER_PAGE_MAX };
  }

  /** Returns the parameters that the links to other pages repeat. */
  static others({ q, client_id, problems, sort }: FleetQueryDto): URLSearchParams {
    return new URLSearchParams({
      ...(q !== undefined && { q }),
      ...(client_id !== undefined && { client_id: String(client_id) }),
      ...(problems !== undefined && { problems }),
      ...(sort !== undefined && { sort }),
    });
  }
}

const VALUE = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] };

/** A setting that differs. */
class DifferenceDto {
  /** Name of the setting, as in the request. */
  setting: string;
  @ApiProperty(VALUE)
  before: string | number | boolean | null;
  @ApiProperty(VALUE)
  after: string | number | boolean | null;
}

/** The fate of a form, or that to come. */
class FormFateDto {
  identifier: string;
  /** Name of the form; empty for one that is unknown. */
  name: string;
  state: 'changed' | 'unchanged' | 'refused';
  /** Settings that differ; none unless the state is `changed`. */
  differences: DifferenceDto[];
  /** Code of the reason why it is refused, as problems name it; null if it is not. */
  code: string | null;
  /** The reason in a sentence. */
  reason: string | null;

  static of({ form, state, differences, error }: FormFate): FormFateDto {
    return {
      identifier: form.identifier,
      name: form.name,
      state,
      differences: differences.map(({ setting, before, after }) => ({ setting, before, after })),
      code: error?.code ?? null,
      reason: error?.message ?? null,
    };
  }
}

/** The fates of the forms of a change, or those to come. */
export class FleetChangesDto {
  /** Whether nothing was changed. */
  preview: boolean;
  /** Forms that were changed, or would be. */
  changed: number;
  unchanged: number;
  refused: number;
  /** In the order of the request. */
  forms: FormFateDto[];

  static of(fates: readonly FormFate[], preview: boolean): FleetChangesDto {
    const count = (state: FormFate['state']) => fates.filter((fate) => fate.state === state).length;
    return {
      preview,
      changed: count('changed'),
      unchanged: count('unchanged'),
      refused: count('refused'),
      forms: fates.map((fate) => FormFateDto.of(fate)),
    };
  }
}

const CLIENT = { message: 'must be the id of a client' };
const FORMS = { message: `must list 1 to ${FORMS_CHANGED_MAX} identifiers of forms` };

/** Settings for all of the forms: a form's, but for its name. Absent: stays as it is. */
export class FleetSettingsDto extends SettingsDto {
  /** Id of the client that sees the forms from then on. */
  @Min(1, CLIENT)
  @IsInt(CLIENT)
  @Optional()
  grant_to?: number;

  /** Id of the client that sees the forms no longer. */
  @Min(1, CLIENT)
  @IsInt(CLIENT)
  @Optional()
  withdraw_from?: number;

  static change(dto: FleetSettingsDto): FleetChange {
    const { grant_to: grantTo, withdraw_from: withdrawFrom } = dto;
    return {
      settings: SettingsDto.of(dto),
      ...(grantTo !== undefined && { grantTo }),
      ...(withdrawFrom !== undefined && { withdrawFrom }),
    };
  }
}

/** A change of several forms. */
class FleetChangeDto {
  /** Identifiers of the forms, at most 500. */
  @ArrayMaxSize(FORMS_CHANGED_MAX, FORMS)
  @ArrayMinSize(1, FORMS)
  @IsString({ each: true, ...FORMS })
  @IsArray(FORMS)
  @Required()
  forms: string[];

  @Nested(() => FleetSettingsDto)
  @Required()
  settings: FleetSettingsDto;

  /** Whether nothing is changed, and the answer says what would be; false by default. */
  @Flag()
  @Optional()
  preview?: boolean;
}

export class ChangeFleetDto extends asked('change', FleetChangeDto) {}
