import { Post } from '@nestjs/common';
import { parseLocalPath } from '../../auth/local-path.js';
import { setSessionCookie } from '../../auth/session.cookie.js';
import { ProofsService } from '../../people/sign-in-methods/proofs.service.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { credentialOf, textOf } from '../parts/typed.js';
import { ConfirmPage, PROOF } from '../layout/confirm.page.js';
import { attempt, goTo, page, sendAgain, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Takes the proof that a page asked for, and repeats the interrupted request. */
@WebController('confirm', 'people')
export class ConfirmController {
  constructor(
    private readonly proofs: ProofsService,
    private readonly config: Config,
  ) {}

  /** Check what is shown, and repeat the interrupted request. */
  @Post()
  async confirm(@Asked() { signedIn, typed, request, response }: PageInput): Promise<PageAnswer> {
    const to = parseLocalPath(textOf(typed, PROOF.to)) ?? '/';
    const method = textOf(typed, PROOF.method);
    return attempt(
      async () => {
        const proof = {
          password: textOf(typed, PROOF.password),
          code: textOf(typed, PROOF.code),
          credential: credentialOf(typed, PROOF.credential),
        };
        const address = addressOf(request, this.config);
        const begun = await this.proofs.prove(signedIn, proof, address);
        setSessionCookie(response, this.config, begun);
        return method === 'POST' ? sendAgain(to) : goTo(to);
      },
      async (problems) => {
        const interrupted = { to, method, typed };
        const ways = await this.proofs.waysOf(signedIn.person);
        return page(ConfirmPage, { interrupted, ways, problems }, { isSignedOut: true });
      },
    );
  }
}
