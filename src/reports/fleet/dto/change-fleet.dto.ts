import { asked } from '../../../platform/http/shapes.js';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, Min } from 'class-validator';
import { SettingsDto } from '../../../forms/dto/form.dto.js';
import { Nested, Flag, Optional, Required } from '../../../platform/kernel/validation.js';
import { FORMS_CHANGED_MAX, type FleetChange } from '../fleet-change.js';

const CLIENT = { message: 'must be the id of a client' };
const FORMS = { message: `must list 1 to ${FORMS_CHANGED_MAX} identifiers of forms` };

/** Settings for all of the forms: those of a form but for its name. Absent: stays as it is. */
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
