import { Get, Post } from '@nestjs/common';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { FactorsService } from '../../people/credentials/factors.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { isTotpSecret, newTotpSecret } from '../../people/credentials/totp.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { textOf } from '../parts/typed.js';
import { RecoveryCodesPage, TotpPage } from './totp.page.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the pages about codes of an authenticator app and about recovery codes. */
@WebController('account/totp', 'people')
@Fresh()
export class TotpController {
  constructor(
    private readonly factors: FactorsService,
    private readonly config: Config,
  ) {}

  /** Show a secret for the app; nothing changes yet. */
  @Get()
  ask(@CurrentPerson() signedIn: SignedIn): PageAnswer {
    return secretPage(signedIn, newTotpSecret());
  }

  /** Ask for codes from now on, and show the recovery codes. */
  @Post()
  async add(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
    const [secret, code] = [textOf(typed, 'secret'), textOf(typed, 'code')];
    return attempt(
      async () => {
        const address = addressOf(request, this.config);
        return codesPage(await this.factors.addTotp(signedIn, secret, code, address));
      },
      (problems) => secretPage(signedIn, isTotpSecret(secret) ? secret : newTotpSecret(), problems),
    );
  }

  /** Ask for the password alone from now on. */
  @Post('remove')
  async remove(@Asked() { signedIn, request }: PageInput): Promise<PageAnswer> {
    await this.factors.removeTotp(signedIn, addressOf(request, this.config));
    return goTo('/account', 'factor_removed');
  }

  /** Put new recovery codes in the place of the former ones. */
  @Post('codes')
  async renew(@Asked() { signedIn, request }: PageInput): Promise<PageAnswer> {
    const address = addressOf(request, this.config);
    return codesPage(await this.factors.renewCodes(signedIn, address));
  }
}

function secretPage(
  { person: { email } }: SignedIn,
  secret: string,
  problems?: FieldProblem[],
): PageAnswer {
  return page(TotpPage, { email, secret, ...(problems && { problems }) }, { isSecret: true });
}

function codesPage(codes: string[]): PageAnswer {
  return page(RecoveryCodesPage, { codes }, { isSecret: true });
}
