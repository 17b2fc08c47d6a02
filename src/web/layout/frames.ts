import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../access/principal.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { PageRequest } from '../../auth/session.guard.js';
import type { SignedIn } from '../../people/sign-in.service.js';
import { takeFlash } from './flash.js';
import { SIGNED_OUT, type Frame, type SectionName } from './shell.js';
import { Troubles } from './troubles.js';

/** Says what the frame of a page shows: who looks, where they act, and what just happened. */
@Injectable()
export class Frames {
  constructor(
    private readonly accounts: AccountsService,
    private readonly troubles: Troubles,
  ) {}

  /**
   * Returns the frame of one page, and forgets the sentence that it shows once.
   * @param signedIn as the guard found it; null before sign-in
   */
  async of(
    request: Request,
    response: Response,
    signedIn: SignedIn | null = (request as PageRequest).signedIn ?? null,
  ): Promise<Frame> {
    const flash = takeFlash(request, response);
    if (!signedIn) return { ...SIGNED_OUT, flash };
    const { person, principal } = signedIn;
    const account = principal ? (await this.accounts.get(principal.accountId)).name : '';
    return {
      person: { name: person.name, account },
      sections: principal ? sectionsOf(principal) : [],
      timeZone: person.timeZone,
      troubles: principal?.has('forms:read') ? await this.troubles.summary(principal) : null,
      flash,
    };
  }
}

/** Returns the pages that would not refuse this principal. */
function sectionsOf(principal: Principal): SectionName[] {
  const sections: [SectionName, boolean][] = [
    ['inbox', principal.may('see')],
    ['forms', principal.has('forms:read')],
    ['clients', principal.clientId === null && principal.has('clients:read')],
    ['tokens', principal.has('tokens:write')],
    ['status', principal.has('forms:read')],
  ];
  return sections.filter(([, isOpen]) => isOpen).map(([name]) => name);
}
