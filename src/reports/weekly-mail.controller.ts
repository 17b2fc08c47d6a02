import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { SentReportsDto } from './dto/report-mail.dto.js';
import { SetWeeklyMailDto, WeeklyMailAnswerDto } from './dto/weekly-mail.dto.js';
import { ReportMails } from './report-mails.service.js';
import { WHOLE_ACCOUNT } from './week.js';

/** Mails once a week whether all forms of the account are well. */
@Controller('api/v1/weekly-mail')
export class WeeklyMailController {
  constructor(private readonly mails: ReportMails) {}

  /** Show who gets the weekly email about all forms. */
  @Get()
  @Requires('clients:read')
  async show(@CurrentPrincipal() principal: Principal): Promise<WeeklyMailAnswerDto> {
    return WeeklyMailAnswerDto.of(await this.mails.show(principal, WHOLE_ACCOUNT));
  }

  /**
   * Set who gets the weekly email: on Mondays at 6:00 UTC it says whether all forms are well, or which need a look. With
   * CONFIRM_RECIPIENTS, addresses that have to confirm get nothing before.
   */
  @Put()
  @Requires('clients:write')
  async replace(
    @CurrentPrincipal() principal: Principal,
    @Body() { weekly_mail: { recipients } }: SetWeeklyMailDto,
  ): Promise<WeeklyMailAnswerDto> {
    return WeeklyMailAnswerDto.of(await this.mails.replace(principal, WHOLE_ACCOUNT, recipients));
  }

  /** Send the weekly email now to everybody who gets it, and return what the mail server said. */
  @Post('send')
  @HttpCode(200)
  @Requires('clients:write')
  async send(@CurrentPrincipal() principal: Principal): Promise<SentReportsDto> {
    return SentReportsDto.of(await this.mails.sendWeekly(principal));
  }
}
