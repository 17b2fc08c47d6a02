import { asked } from '../../platform/http/wrapped.js';
import { Required } from '../../platform/kernel/validation.js';
import type { ReportMail } from '../report-mails.service.js';
import { Recipients, ReportMailDto } from './report-mail.dto.js';

class WeeklyMailSettingsDto {
  /** Addresses that get the weekly email, up to 10; none turns it off. */
  @Recipients()
  @Required()
  recipients: string[];
}

export class SetWeeklyMailDto extends asked('weekly_mail', WeeklyMailSettingsDto) {}

/** Recipients of the weekly email about all forms. */
export class WeeklyMailAnswerDto {
  weekly_mail: ReportMailDto;

  static of({ recipients, unconfirmed }: ReportMail): WeeklyMailAnswerDto {
    return { weekly_mail: { recipients, unconfirmed } };
  }
}
