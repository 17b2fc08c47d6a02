import { Post } from '@nestjs/common';
import type { Request } from 'express';
import { OpenWhileViewing, Requires } from '../../accounts/access/access.decorators.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import type { Member } from '../../people/members/members.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { ViewsService } from '../../people/sign-in/views.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/requests.js';
import { HOME } from '../sign-in/sign-in.controller.js';
import { goTo } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Lets owners see the pages as somebody else does. */
@WebController()
export class ViewPagesController {
  constructor(
    private readonly views: ViewsService,
    private readonly config: Config,
  ) {}

  /** See them as a member of the account. */
  @Post('people/:id/view')
  @Requires('people:write')
  @Fresh()
  seeAsMember(@Asked() { signedIn, request, recordId: id }: PageInput) {
    return this.begin(signedIn, id, null, request);
  }

  /** See them as a person of a client. */
  @Post('clients/:id/people/:personId/view')
  @Requires('people:write')
  @Fresh()
  seeAsClientPerson(@Asked() { signedIn, request, recordId: id, personId }: PageInput) {
    return this.begin(signedIn, personId, id, request);
  }

  /** See them as oneself again. */
  @Post('view/end')
  @OpenWhileViewing()
  async end(@Asked() { signedIn, request }: PageInput) {
    await this.views.end(signedIn, addressOf(request, this.config));
    return goTo(signedIn.view ? pageOf(signedIn.view) : HOME, 'view_ended');
  }

  private async begin(
    signedIn: SignedIn,
    personId: number,
    clientId: number | null,
    request: Request,
  ) {
    await this.views.begin(signedIn, personId, clientId, addressOf(request, this.config));
    return goTo(HOME);
  }
}

/** Returns the owner's page about the person, where the view began. */
function pageOf({ person, membership: { clientId } }: Member): string {
  return clientId === null ? `/people/${person.id}` : `/clients/${clientId}/people/${person.id}`;
}
