import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { CanaryService } from './canary.service.js';
import { CanaryAnswerDto, RunCanaryDto, SetCanaryDto } from './canary.dto.js';

@Controller('api/v1/forms/:identifier/canary')
@RoutesRequire('forms:read', 'forms:write')
export class CanaryController {
  constructor(private readonly canary: CanaryService) {}

  /** Show when the canary of a form runs, and how its last run ended. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<CanaryAnswerDto> {
    return CanaryAnswerDto.of(await this.canary.show(principal, identifier));
  }

  /** Set how often the canary of a form runs, and the page that it looks at. What is left out stays. */
  @Put()
  async change(
    @InForm() { principal, identifier }: InForm,
    @Body() { canary: { schedule, page } }: SetCanaryDto,
  ): Promise<CanaryAnswerDto> {
    const to = { ...(schedule !== undefined && { schedule }), ...(page !== undefined && { page }) };
    return CanaryAnswerDto.of(await this.canary.change(principal, identifier, to));
  }

  /**
   * Run the canary of a form now: fetch its page, send a test submission through its public address, and return how each step
   * ended. It takes up to a minute. Nobody is told of the test submission, and nothing counts it. A `page` is kept for later
   * runs.
   */
  @Post('run')
  @HttpCode(200)
  async run(@InForm() { principal, identifier }: InForm, @Body() { page }: RunCanaryDto): Promise<CanaryAnswerDto> {
    if (page !== undefined) await this.canary.change(principal, identifier, { page });
    return CanaryAnswerDto.of(await this.canary.run(principal, identifier));
  }
}
