import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import {
  ReportMailAnswerDto,
  SendReportDto,
  SentReportsDto,
  SetReportMailDto,
} from './dto/report-mail.dto.js';
import { ReportMails } from './report-mails.service.js';

/** Mails the monthly report of a client. */
@Controller('api/v1/clients/:id/report/mail')
export class ReportMailController {
  constructor(private readonly mails: ReportMails) {}

  /** Show who gets the monthly report of a client by email. */
  @Get()
  @Requires('clients:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
  ): Promise<ReportMailAnswerDto> {
    return ReportMailAnswerDto.of(await this.mails.show(principal, id));
  }

  /**
   * Set who gets the monthly report of a client by email: on the first of each month from 6:00 UTC on, from that of the current
   * month on. With CONFIRM_RECIPIENTS, addresses that have to confirm get nothing before.
   */
  @Put()
  @Requires('clients:write')
  async replace(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() { report_mail: { recipients } }: SetReportMailDto,
  ): Promise<ReportMailAnswerDto> {
    return ReportMailAnswerDto.of(await this.mails.replace(principal, id, recipients));
  }

  /** Send the report of a month now to everybody who gets it, and return what the mail server said. */
  @Post('send')
  @HttpCode(200)
  @Requires('clients:write')
  async send(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() { month }: SendReportDto,
  ): Promise<SentReportsDto> {
    return SentReportsDto.of(await this.mails.send(principal, id, month ?? null));
  }
}
