import { Post } from '@nestjs/common';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { IdentitiesService } from '../../people/credentials/identities.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { parseUuid } from '../../platform/kernel/uuid.js';
import { textOf } from '../parts/typed.js';
import { goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Links and unlinks what a person is known by at the provider. */
@WebController('account/identities', 'people')
@Fresh()
export class IdentityPagesController {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly config: Config,
  ) {}

  /** Unlink one. */
  @Post('remove')
  async remove(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
    const id = parseUuid(textOf(typed, 'identity'));
    await this.identities.removeOwn(signedIn, id, addressOf(request, this.config));
    return goTo('/account', 'identity_unlinked');
  }
}
