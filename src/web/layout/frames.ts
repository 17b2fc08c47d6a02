import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { SignedIn } from '../../people/sign-in.service.js';
import { takeFlash } from './flash.js';
import { SIGNED_OUT, type Frame } from './shell.js';

/** Says what the frame of a page shows: who looks, where they act, and what just happened. */
@Injectable()
export class Frames {
  constructor(private readonly accounts: AccountsService) {}

  /**
   * Returns the frame of one page, and forgets the sentence that it shows once.
   * @param signedIn null before sign-in
   */
  async of(request: Request, response: Response, signedIn: SignedIn | null): Promise<Frame> {
    const flash = takeFlash(request, response);
    if (!signedIn) return { ...SIGNED_OUT, flash };
    const { person, principal } = signedIn;
    const account = principal ? (await this.accounts.get(principal.accountId)).name : '';
    return {
      person: { name: person.name, account },
      timeZone: person.timeZone,
      troubles: 0,
      flash,
    };
  }
}
