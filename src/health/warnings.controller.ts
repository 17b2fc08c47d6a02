import { Controller, Get } from '@nestjs/common';
import { Requires, InForm } from '../accounts/access/index.js';
import { WarningListDto } from './warnings.dto.js';
import { HealthService } from './health.service.js';

@Controller('api/v1/forms/:identifier/warnings')
export class WarningsController {
  constructor(private readonly health: HealthService) {}

  /** List the warnings of a form; empty if it works as configured. */
  @Get()
  @Requires('forms:read')
  async list(@InForm() { principal, identifier }: InForm): Promise<WarningListDto> {
    return WarningListDto.of(await this.health.ofForm(principal, identifier));
  }
}
