import { Controller, Get, Query, Body, HttpCode, Post, Put } from '@nestjs/common';
import { CurrentPrincipal, OfRecord, Requires, RoutesRequire, Principal } from '../accounts/access/index.js';
import {
  ReportDto,
  ReportQueryDto,
  ReportMailAnswerDto,
  SendReportDto,
  SentReportsDto,
  SetReportMailDto,
  SetWeeklyMailDto,
  WeeklyMailAnswerDto,
} from './report.dto.js';
import { ReportsService } from './reports.service.js';
import { ReportMails } from './report-mails.service.js';

@Controller('api/v1/clients/:id/report')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  /** Report what the forms of a client received in a month, compared with the month before. A client reads its own. */
  @Get()
  @Requires('submissions:read')
  async show(@OfRecord() { principal, id }: OfRecord, @Query() { month }: ReportQueryDto): Promise<ReportDto> {
    return ReportDto.of(await this.reports.ofClient(principal, id, month ?? null));
  }
}

/** Mails the monthly report of a client. */
@Controller('api/v1/clients/:id/report/mail')
@RoutesRequire('clients:read', 'clients:write')
export class ReportMailController {
  constructor(private readonly mails: ReportMails) {}

  /** Show who gets the monthly report of a client by email. */
  @Get()
  async show(@OfRecord() { principal, id }: OfRecord): Promise<ReportMailAnswerDto> {
    return ReportMailAnswerDto.of(await this.mails.show(principal, id));
  }

  /**
   * Set who gets the monthly report of a client by email: on the first of each month from 6:00 UTC on, from that of the current
   * month on. With CONFIRM_RECIPIENTS, addresses that have to confirm get nothing before.
   */
  @Put()
  async replace(
    @OfRecord() { principal, id }: OfRecord,
    @Body() { report_mail: { recipients } }: SetReportMailDto,
  ): Promise<ReportMailAnswerDto> {
    return ReportMailAnswerDto.of(await this.mails.replace(principal, id, recipients));
  }

  /** Send the report of a month now to everybody who gets it, and return what the mail server said. */
  @Post('send')
  @HttpCode(200)
  async send(@OfRecord() { principal, id }: OfRecord, @Body() { month }: SendReportDto): Promise<SentReportsDto> {
    return SentReportsDto.of(await this.mails.send(principal, id, month ?? null));
  }
}

/** Mails once a week whether all forms of the account are well. */
@Controller('api/v1/weekly-mail')
@RoutesRequire('clients:read', 'clients:write')
export class WeeklyMailController {
  constructor(private readonly mails: ReportMails) {}

  /** Show who gets the weekly email about all forms. */
  @Get()
  async show(@CurrentPrincipal() principal: Principal): Promise<WeeklyMailAnswerDto> {
    return WeeklyMailAnswerDto.of(await this.mails.show(principal, null));
  }

  /**
   * Set who gets the weekly email: on Mondays at 6:00 UTC, a summary of forms that need attention. With
   * CONFIRM_RECIPIENTS, addresses that have to confirm get nothing before.
   */
  @Put()
  async replace(
    @CurrentPrincipal() principal: Principal,
    @Body() { weekly_mail: { recipients } }: SetWeeklyMailDto,
  ): Promise<WeeklyMailAnswerDto> {
    return WeeklyMailAnswerDto.of(await this.mails.replace(principal, null, recipients));
  }

  /** Send the weekly email now to everybody who gets it, and return what the mail server said. */
  @Post('send')
  @HttpCode(200)
  async send(@CurrentPrincipal() principal: Principal): Promise<SentReportsDto> {
    return SentReportsDto.of(await this.mails.sendWeekly(principal));
  }
}
