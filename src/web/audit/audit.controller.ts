import { Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RoutesRequire } from '../../accounts/access/index.js';
import type { AuditEntry } from '../../accounts/audit/audit-entry.entity.js';
import { AuditEntryDto } from '../../accounts/audit/audit-entry.dto.js';
import { AuditService, type AuditFilter } from '../../accounts/audit/audit.service.js';
import { MembersService } from '../../people/members/members.service.js';
import { Config, formatUuid, parseUuid } from '../../platform/index.js';
import { contentDisposition, sendStream } from '../../platform/http/index.js';
import { askOf, auditAddress, filterOf, AuditPage, type AuditRow } from './audit.page.js';
import { page, Asked, type PageInput, WebController } from '../kit/index.js';

/** Entries on a page. */
const ROWS = 50;

/** Shows who did what to what, to people in a browser. */
@WebController()
@RoutesRequire('audit:read')
export class AuditPagesController {
  constructor(
    private readonly audit: AuditService,
    private readonly members: MembersService,
    private readonly config: Config,
  ) {}

  /** Show the log, or the part of it that is asked for. */
  @Get('audit')
  async list(@Asked() { principal, signedIn, query }: PageInput) {
    const { isOperator, person } = signedIn;
    const { timeZone } = person;
    const ask = { ...askOf(query), ...(!isOperator && { of: '' }) };
    const before = parseUuid(typeof query.before === 'string' ? query.before : '');
    const scope = ask.of === '' ? principal : null;
    const found = await this.audit.older(scope, filterOf(ask, timeZone), before, ROWS + 1);
    const shown = found.slice(0, ROWS);
    const last = found.length > ROWS ? shown.at(-1) : undefined;
    const members = await this.members.list(principal, null);
    return page(AuditPage, {
      ask,
      rows: shown.map(rowOf),
      people: members.map((member) => ({ id: member.person.id, name: member.person.name })),
      days: this.config.auditLogDays,
      older: last ? auditAddress({ ...ask, before: formatUuid(last.id) }) : null,
      isOlder: before !== null,
      apiUrl: scope && apiUrlOf(this.config, filterOf(ask, timeZone), before),
      isOperator,
    });
  }

  /** Download what is asked for as CSV. */
  @Get('audit.csv')
  async csv(@Asked() input: PageInput, @Res() response: Response): Promise<void> {
    const entries = await this.export('csv', input);
    response.set('Content-Disposition', contentDisposition('audit.csv'));
    response.type('text/csv; charset=utf-8');
    await sendStream(response, AuditEntryDto.csv(entries));
  }

  /** Download what is asked for as JSON, one entry a line. */
  @Get('audit.ndjson')
  async ndjson(@Asked() input: PageInput, @Res() response: Response): Promise<void> {
    const entries = await this.export('ndjson', input);
    response.set('Content-Disposition', contentDisposition('audit.ndjson'));
    response.type('application/x-ndjson; charset=utf-8');
    await sendStream(response, AuditEntryDto.ndjson(entries));
  }

  private export(format: string, { principal, signedIn, query }: PageInput) {
    const ask = askOf(query);
    const { timeZone } = signedIn.person;
    const scope = signedIn.isOperator && ask.of !== '' ? null : principal;
    return this.audit.export(principal, format, filterOf(ask, timeZone), scope);
  }
}

function rowOf(entry: AuditEntry): AuditRow {
  const { at, actorKind, actorId, actorName, action } = entry;
  const { targetKind, targetId, targetName, address } = entry;
  return {
    ...{ at, actorName, action, targetKind, targetName, address },
    actor: actorId === null ? actorKind : `${actorKind}:${actorId}`,
    target: targetId === null ? targetKind : `${targetKind}:${targetId}`,
    details: entry.readDetails(),
  };
}

/** Returns the address of the page of the API that has the same entries. */
function apiUrlOf({ baseUrl }: Config, filter: AuditFilter, before: Buffer | null) {
  const { action, actorKind, actorId, targetKind, targetId, since, until } = filter;
  const said = Object.entries({
    ...{ action, actor_kind: actorKind, actor_id: actorId },
    ...{ target_kind: targetKind, target_id: targetId },
    ...{ since: since?.toISOString(), until: until?.toISOString() },
    before: before === null ? undefined : formatUuid(before),
    per_page: ROWS,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `${baseUrl}/api/v1/audit?${new URLSearchParams(said).toString()}`;
}
