import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { Config } from '../../platform/index.js';
import { pageHeaders } from '../../platform/http/index.js';
import { ChangeFleetDto, FleetSettingsDto, FleetChangesDto, FleetDto, FleetQueryDto } from './fleet.dto.js';
import { FleetChanges } from './fleet-changes.service.js';
import { FleetService } from './fleet.service.js';

const PATH = 'api/v1/fleet';

@Controller(PATH)
@RoutesRequire('forms:read', 'forms:write')
export class FleetController {
  constructor(
    private readonly fleet: FleetService,
    private readonly changes: FleetChanges,
    private readonly config: Config,
  ) {}

  /**
   * List forms with activity, page by page, with the headers `Link` and `X-Total-Count`. A filter or an
   * order goes through the oldest 2,000 forms.
   */
  @Get()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: FleetQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FleetDto> {
    const slice = FleetQueryDto.slice(query);
    const [filter, order] = [FleetQueryDto.filter(query), FleetQueryDto.order(query)];
    const found = await this.fleet.page(principal, filter, order, slice);
    const address = `${this.config.baseUrl}/${PATH}`;
    response.set(pageHeaders(address, slice, found.total, FleetQueryDto.others(query)));
    return FleetDto.of(found);
  }

  /** Change settings of up to 500 forms at once, or look at the differences first. Each form changes by itself. */
  @Post('changes')
  @HttpCode(200)
  async change(
    @CurrentPrincipal() principal: Principal,
    @Body() { change: { forms, settings, preview = false } }: ChangeFleetDto,
  ): Promise<FleetChangesDto> {
    const change = FleetSettingsDto.change(settings);
    const fates = preview
      ? await this.changes.preview(principal, forms, change)
      : await this.changes.apply(principal, forms, change);
    return FleetChangesDto.of(fates, preview);
  }
}
