import { Controller, Get, Header, Param, UseGuards } from '@nestjs/common';
import { Public } from '../access/access.decorators.js';
import { AliasesService } from '../aliases/aliases.service.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { FormTokens } from '../spam/evidence/form-tokens.service.js';
import { FormTokenDto } from './dto/form-token.dto.js';

@Controller('f/:identifier/token')
@Public()
@UseGuards(VisitorGuard)
export class FormTokenController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly tokens: FormTokens,
  ) {}

  /** Get a form token with the time of the request, to send as `_token`. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Access-Control-Allow-Origin', '*')
  async issue(@Param('identifier') identifier: string): Promise<FormTokenDto> {
    const { form } = await this.aliases.reach(identifier);
    return { token: await this.tokens.issue(form.id) };
  }
}
