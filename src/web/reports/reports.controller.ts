import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { addMonths, lastMonth, parseMonth } from '../../reports/month.js';
import { ReportsService } from '../../reports/reports.service.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { textOf, type Typed } from '../parts/typed.js';
import { words } from '../words.js';
import { ReportPage, type ReportPageProps } from './report.page.js';

/** Serves the monthly report of a client. */
@WebController('clients/:id/report')
export class ReportPagesController {
  constructor(
    private readonly reports: ReportsService,
    private readonly frames: Frames,
    private readonly clock: Clock,
  ) {}

  /** Report a month; the last one that is over by default. */
  @Get()
  @Requires('submissions:read')
  @Allows('see')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const month = parseMonth(textOf(sent, 'month'));
    const report = await this.reports.ofClient(principal, id, month);
    const frame = await this.frames.of(request, response);
    const now = addMonths(lastMonth(this.clock.now()), 1);
    sendPage(response, ReportPage({ frame, report, now, ...placeFor(principal, report.client) }));
  }
}

/** Returns where a report stands: below its client for who can open that, else below the statistics. */
function placeFor(
  principal: Principal,
  { id, name }: ReportPageProps['report']['client'],
): Pick<ReportPageProps, 'up' | 'section'> {
  return principal.clientId === null && principal.has('clients:write')
    ? { up: { href: `/clients/${id}`, label: name }, section: 'clients' }
    : { up: { href: '/statistics', label: words.statistics.title }, section: 'forms' };
}
