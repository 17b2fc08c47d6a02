import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { Config } from '../platform/config/config.js';
import { pageHeaders } from '../platform/http/page-links.js';
import { AuditService } from './audit.service.js';
import { AuditListDto } from './dto/audit-entry.dto.js';
import { AuditQueryDto } from './dto/audit-query.dto.js';

const PATH = 'api/v1/audit';

@Controller(PATH)
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /** List who did what to what, newest first, 100 a page at most; kept for AUDIT_LOG_DAYS. */
  @Get()
  @Requires('audit:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: AuditQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditListDto> {
    const page = AuditQueryDto.page(query) ?? { page: 1, perPage: 100 };
    const { entries, total } = await this.audit.list(principal, AuditQueryDto.filter(query), page);
    const address = `${this.config.baseUrl}/${PATH}`;
    response.set(pageHeaders(address, page, total, AuditQueryDto.parameters(query)));
    return AuditListDto.of(entries);
  }
}
