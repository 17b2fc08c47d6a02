import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, RoutesRequire, Principal } from '../access/index.js';
import { Config, formatUuid, uuidOf } from '../../platform/index.js';
import {
  pageHeaders,
  PageQueryDto,
  PER_PAGE_MAX,
  contentDisposition,
  sendStream,
  Sends,
} from '../../platform/http/index.js';
import { AuditService } from './audit.service.js';
import { AuditEntryDto, AuditListDto, AuditFilterDto, AuditQueryDto } from './audit-entry.dto.js';

const PATH = 'api/v1/audit';

@Controller('api/v1')
@RoutesRequire('audit:read')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /** List the audit log, newest first, up to 100 entries per page; kept for AUDIT_LOG_DAYS. */
  @Get('audit')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditListDto> {
    const address = `${this.config.baseUrl}/${PATH}`;
    const filter = AuditFilterDto.filter(query);
    const parameters = AuditQueryDto.parameters(query);
    const before = uuidOf(query.before);
    if (before) {
      const limit = query.per_page ?? PER_PAGE_MAX;
      const entries = await this.audit.older(principal, filter, before, limit);
      const last = entries.length === limit ? entries.at(-1) : undefined;
      parameters.set('per_page', String(limit));
      if (last) {
        parameters.set('before', formatUuid(last.id));
        response.set('Link', `<${address}?${parameters.toString()}>; rel="next"`);
      }
      return AuditListDto.of(entries);
    }
    const page = PageQueryDto.page(query) ?? { page: 1, perPage: PER_PAGE_MAX };
    const { entries, total } = await this.audit.list(principal, filter, page);
    response.set(pageHeaders(address, page, total, parameters));
    return AuditListDto.of(entries);
  }

  /** Export the audit log as CSV in UTF-8; formulas in cells are defused. */
  @Get('audit.csv')
  @Sends('text/csv')
  async csv(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditFilterDto,
    @Res() response: Response,
  ): Promise<void> {
    const entries = await this.audit.export(principal, 'csv', AuditFilterDto.filter(query));
    response.set('Content-Type', 'text/csv; charset=utf-8');
    response.set('Content-Disposition', contentDisposition('audit.csv'));
    await sendStream(response, AuditEntryDto.csv(entries));
  }

  /** Export the audit log as JSON, one entry per line. */
  @Get('audit.ndjson')
  @Sends('application/x-ndjson')
  async ndjson(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditFilterDto,
    @Res() response: Response,
  ): Promise<void> {
    const entries = await this.audit.export(principal, 'ndjson', AuditFilterDto.filter(query));
    response.set('Content-Type', 'application/x-ndjson; charset=utf-8');
    response.set('Content-Disposition', contentDisposition('audit.ndjson'));
    await sendStream(response, AuditEntryDto.ndjson(entries));
  }
}
