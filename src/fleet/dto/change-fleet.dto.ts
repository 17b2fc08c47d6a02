import { readSettings } from '../../forms/model/form-snippet.js';
import { asked } from '../../platform/http/shapes.js';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsObject,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { FormSettingsDto } from '../../forms/dto/form-settings.dto.js';
import { RETENTION_DAYS, RETENTION_DAYS_MAX } from '../../forms/dto/field-rules.dto.js';
import { Flag, Optional, Required } from '../../platform/kernel/validation.js';
import { FORMS_CHANGED_MAX, type FleetChange } from '../fleet-change.js';

const CLIENT = { message: 'must be the id of a client' };
const FORMS = { message: `must list 1 to ${FORMS_CHANGED_MAX} identifiers of forms` };

/** Settings for all of the forms: those of a form but for its name, and what it has besides. Absent: stays as it is. */
export class FleetSettingsDto extends FormSettingsDto {
  /** Submissions older than this many days are removed, with their files; null keeps them. */
  @Max(RETENTION_DAYS_MAX, RETENTION_DAYS)
  @Min(1, RETENTION_DAYS)
  @IsInt(RETENTION_DAYS)
  @Optional({ nullable: true })
  retention_days?: number | null;

  /** Whether the forms take no submissions. */
  @Flag()
  @Optional()
  paused?: boolean;

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

  static of(dto: FleetSettingsDto): FleetChange {
    return {
      settings: readSettings(dto),
      ...(dto.retention_days !== undefined && { retentionDays: dto.retention_days }),
      ...(dto.paused !== undefined && { paused: dto.paused }),
      ...(dto.grant_to !== undefined && { grantTo: dto.grant_to }),
      ...(dto.withdraw_from !== undefined && { withdrawFrom: dto.withdraw_from }),
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

  @ValidateNested()
  @Type(() => FleetSettingsDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  settings: FleetSettingsDto;

  /** Whether nothing is changed, and the answer says what would be; false by default. */
  @Flag()
  @Optional()
  preview?: boolean;
}

export class ChangeFleetDto extends asked('change', FleetChangeDto) {}
