import { Controller, Get } from '@nestjs/common';
import { Requires, InForm } from '../../accounts/access/index.js';
import { VerdictDto } from './verdict.dto.js';
import { VerdictsService } from './verdicts.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/verdict')
export class VerdictsController {
  constructor(private readonly verdicts: VerdictsService) {}

  /**
   * Show the verdict on a submission, with the reasons: everything that speaks for it and against it, with its points.
   */
  @Get()
  @Requires('submissions:read')
  async show(@InForm('id') { principal, identifier, id }: InForm): Promise<VerdictDto> {
    return VerdictDto.of(await this.verdicts.show(principal, identifier, id));
  }
}
