import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { PasskeyNameDto } from '../../auth/dto/passkey.dto.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { browserNameOf } from '../../sessions/browser-name.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { checked, credentialOf, InvalidForm, textOf } from '../parts/typed.js';
import { passkeyWords } from './words.js';
import { PasskeysPage } from './passkeys.page.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

const PATH = '/account/passkeys';

/** Serves the page about one's passkeys. */
@WebController('account/passkeys', 'people')
export class PasskeyPagesController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** List them, and offer to make another. */
  @Get()
  @Fresh()
  show(@Asked() { signedIn, request }: PageInput): Promise<PageAnswer> {
    return this.page(signedIn, request, browserNameOf(request.headers['user-agent'] ?? ''));
  }

  /** Keep one that the browser made. */
  @Post()
  @Fresh()
  async add(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
    const [name, credential] = [textOf(typed, 'name'), credentialOf(typed)];
    return attempt(
      async () => {
        const given = await checked(PasskeyNameDto, { name });
        if (credential === null) throw new InvalidForm([MISSING]);
        const address = addressOf(request, this.config);
        await this.passkeys.add(signedIn, given.name, credential, address);
        return goTo(PATH, 'passkey_added');
      },
      (problems) => this.page(signedIn, request, name, problems),
    );
  }

  /** Rename one. */
  @Post(':id/rename')
  async rename(@Asked() { signedIn, typed, request, id }: PageInput): Promise<PageAnswer> {
    const { name } = await checked(PasskeyNameDto, { name: textOf(typed, 'name') });
    await this.passkeys.rename(signedIn, id, name, addressOf(request, this.config));
    return goTo(PATH, 'passkey_renamed');
  }

  /** Remove one. */
  @Post(':id/remove')
  @Fresh()
  async remove(@Asked() { signedIn, request, id }: PageInput): Promise<PageAnswer> {
    await this.passkeys.remove(signedIn, id, addressOf(request, this.config));
    return goTo(PATH, 'passkey_removed');
  }

  private async page(
    signedIn: SignedIn,
    request: Request,
    name: string,
    problems?: FieldProblem[],
  ): Promise<PageAnswer> {
    const passkeys = await this.passkeys.listOf(signedIn.person);
    const isOurs = await this.addresses.isOurs(request);
    const arePossible = isOurs && this.passkeys.arePossible;
    return page(PasskeysPage, {
      passkeys,
      arePossible,
      isOurs,
      name,
      ...(problems && { problems }),
    });
  }
}

/** The form came without the field that script fills in. */
const MISSING = { field: 'credential', code: 'missing', message: passkeyWords.missing };
