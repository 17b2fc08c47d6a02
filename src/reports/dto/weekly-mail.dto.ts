import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { Required } from '../../platform/kernel/validation.js';
import type { ReportMail } from '../report-mails.service.js';
import { Recipients, ReportMailDto } from './report-mail.dto.js';

export class WeeklyMailSettingsDto {
  /** Addresses that get the weekly email, up to 10; none turns it off. */
  @Recipients()
  @Required()
  recipients: string[];
}

export class SetWeeklyMailDto {
  @ValidateNested()
  @Type(() => WeeklyMailSettingsDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  weekly_mail: WeeklyMailSettingsDto;
}

/** Recipients of the weekly email about all forms. */
export class WeeklyMailAnswerDto {
  weekly_mail: ReportMailDto;

  static of({ recipients, unconfirmed }: ReportMail): WeeklyMailAnswerDto {
    return { weekly_mail: { recipients, unconfirmed } };
  }
}
