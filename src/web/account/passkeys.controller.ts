import { Body, Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { PasskeyNameDto } from '../../auth/dto/passkey.dto.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { browserNameOf } from '../../sessions/browser-name.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import {
  checked,
  credentialOf,
  InvalidForm,
  problemsOf,
  textOf,
  type Typed,
} from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { passkeyWords } from './words.js';
import { PasskeysPage } from './passkeys.page.js';

const PATH = '/account/passkeys';

/** Serves the page about one's passkeys. */
@Controller('account/passkeys')
@WebPage('people')
@UseFilters(WebFilter)
export class PasskeyPagesController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly addresses: PublicAddresses,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** List them, and offer to make another. */
  @Get()
  @Fresh()
  show(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(
      signedIn,
      request,
      response,
      browserNameOf(request.headers['user-agent'] ?? ''),
    );
  }

  /** Keep one that the browser made. */
  @Post()
  @Fresh()
  async add(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const [name, credential] = [textOf(typed, 'name'), credentialOf(typed)];
    try {
      const given = await checked(PasskeyNameDto, { name });
      if (credential === null) throw new InvalidForm([MISSING]);
      const address = addressOf(request, this.config);
      await this.passkeys.add(signedIn, given.name, credential, address);
      redirect(response, PATH, 'passkey_added');
    } catch (error) {
      await this.send(signedIn, request, response, name, problemsOf(error));
    }
  }

  /** Rename one. */
  @Post(':id/rename')
  async rename(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { name } = await checked(PasskeyNameDto, { name: textOf(typed, 'name') });
    await this.passkeys.rename(signedIn, id, name, addressOf(request, this.config));
    redirect(response, PATH, 'passkey_renamed');
  }

  /** Remove one. */
  @Post(':id/remove')
  @Fresh()
  async remove(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.passkeys.remove(signedIn, id, addressOf(request, this.config));
    redirect(response, PATH, 'passkey_removed');
  }

  private async send(
    signedIn: SignedIn,
    request: Request,
    response: Response,
    name: string,
    problems?: FieldProblem[],
  ): Promise<void> {
    const frame = await this.frames.of(request, response, signedIn);
    const passkeys = await this.passkeys.listOf(signedIn.person);
    const isOurs = await this.addresses.isOurs(request);
    const arePossible = isOurs && this.passkeys.arePossible;
    const page = { frame, passkeys, arePossible, isOurs, name };
    const status = problems ? UNPROCESSABLE : 200;
    sendPage(response, PasskeysPage({ ...page, ...(problems && { problems }) }), status);
  }
}

/** The form came without the field that script fills in. */
const MISSING = { field: 'credential', code: 'missing', message: passkeyWords.missing };
