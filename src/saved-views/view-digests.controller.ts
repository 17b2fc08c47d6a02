import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { SessionRoute } from '../access/access.decorators.js';
import { CurrentPerson } from '../auth/signed-in.decorator.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { Uuid, UuidInPath } from '../platform/http/uuid.pipe.js';
import { DigestDto, SetDigestDto } from './dto/view-digest.dto.js';
import { ViewDigestsService } from './view-digests.service.js';

/** Mails that tell who is signed in what is new in a saved view. */
@Controller('api/v1/me/views/:id/digest')
@SessionRoute()
export class ViewDigestsController {
  constructor(private readonly digests: ViewDigestsService) {}

  /** Show your email digest of a view. */
  @Get()
  @UuidInPath('id')
  async show(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<DigestDto> {
    return { every: await this.digests.show(signedIn, id) };
  }

  /**
   * Turn on the email digest of a view: at 8:00 in your time zone, daily or on Mondays, if there is something
   * new. It goes to your own address, which has to be verified: you have used a link that was mailed there.
   */
  @Put()
  @UuidInPath('id')
  async subscribe(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
    @Body() { every }: SetDigestDto,
  ): Promise<DigestDto> {
    await this.digests.subscribe(signedIn, id, every);
    return { every };
  }

  /** Turn off the email digest of a view. */
  @Delete()
  @UuidInPath('id')
  async unsubscribe(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<DigestDto> {
    await this.digests.unsubscribe(signedIn, id);
    return { every: null };
  }
}
