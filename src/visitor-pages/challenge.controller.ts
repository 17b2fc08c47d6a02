import { Controller, Get, Header, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../accounts/access/access.decorators.js';
import { AliasesService } from '../forms/aliases/aliases.service.js';
import { Config } from '../platform/config/config.js';
import { addressOf, networkOf } from '../platform/http/requests/requests.js';
import { VisitorGuard } from '../platform/rate-limits/visitor.guard.js';
import { ProofsOfWork } from '../spam/proof-of-work/proofs-of-work.service.js';
import { allowsOrigin } from '../spam/signals/origin.js';
import { ChallengeDto, FormTokenDto } from './dto/challenge.dto.js';
import { FormTokens } from '../spam/evidence/spam-evidence.js';

@Controller('f/:identifier/challenge')
@Public()
@UseGuards(VisitorGuard)
export class ChallengeController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly proofs: ProofsOfWork,
    private readonly config: Config,
  ) {}

  /** Get a proof-of-work challenge; the solution is sent as `altcha`. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Vary', 'Origin')
  async issue(
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ChallengeDto> {
    const { form } = await this.aliases.reach(identifier);
    const { origin = null } = request.headers;
    const reader = form.whitelistedDomains === null ? '*' : origin;
    if (reader !== null && allowsOrigin(form.whitelistedDomains, origin)) {
      response.setHeader('Access-Control-Allow-Origin', reader);
    }
    const network = networkOf(addressOf(request, this.config));
    return ChallengeDto.of(await this.proofs.challenge(form, network));
  }
}

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
