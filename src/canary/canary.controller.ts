import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { CanaryService } from './canary.service.js';
import { CanaryAnswerDto, SetCanaryDto } from './dto/canary.dto.js';

@Controller('api/v1/forms/:identifier/canary')
export class CanaryController {
  constructor(private readonly canary: CanaryService) {}

  /** Show when the canary of a form runs, and how its last run ended. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<CanaryAnswerDto> {
    return CanaryAnswerDto.of(await this.canary.show(principal, identifier));
  }

  /** Set how often the canary of a form runs, and the page that it looks at. What is left out stays. */
  @Put()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { canary: { schedule, page } }: SetCanaryDto,
  ): Promise<CanaryAnswerDto> {
    const to = { ...(schedule !== undefined && { schedule }), ...(page !== undefined && { page }) };
    return CanaryAnswerDto.of(await this.canary.change(principal, identifier, to));
  }

  /**
   * Run the canary of a form now: fetch its page, send a test submission through its public address, and return how each step
   * ended. It takes up to a minute. Nobody is told of the test submission, and nothing counts it.
   */
  @Post('run')
  @HttpCode(200)
  @Requires('forms:write')
  async run(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<CanaryAnswerDto> {
    return CanaryAnswerDto.of(await this.canary.run(principal, identifier));
  }
}
