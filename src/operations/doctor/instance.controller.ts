import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { SessionRoute, NotAllowedHere } from '../../accounts/access/index.js';
import { InstanceService } from './doctor.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { InstanceDto } from './instance.dto.js';
import { CurrentPerson } from '../../people/auth/browsers.cookie.js';

/** Shows the state of the whole service to operators; tokens are of one account and do not reach it. */
@Controller('api/v1/me/instance')
@SessionRoute()
export class InstanceController {
  constructor(private readonly instance: InstanceService) {}

  /** Show the state of the whole service. For operators. */
  @Get()
  async show(@CurrentPerson() person: SignedIn): Promise<InstanceDto> {
    assertOperator(person);
    return InstanceDto.of(await this.instance.state());
  }

  /** Run all checks, including slow ones. For operators. */
  @Post('checks')
  @HttpCode(200)
  async check(@CurrentPerson() person: SignedIn): Promise<InstanceDto> {
    assertOperator(person);
    await this.instance.check();
    return InstanceDto.of(await this.instance.state());
  }

  /** Fix what the checks can fix, then run all of them. For operators. */
  @Post('mend')
  @HttpCode(200)
  async mend(@CurrentPerson() person: SignedIn): Promise<InstanceDto> {
    assertOperator(person);
    await this.instance.mend();
    return InstanceDto.of(await this.instance.state());
  }
}

/** @throws NotAllowedHere */
function assertOperator({ isOperator }: SignedIn) {
  if (!isOperator) throw new NotAllowedHere();
}
