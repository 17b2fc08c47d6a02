import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../access/principal.js';
import type { PageRequest } from '../../auth/session.guard.js';
import { FailingRecipients } from '../../bounces/failing-recipients.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { Troubles } from '../layout/troubles.js';
import { FormHeads } from '../form-head/form-heads.js';
import { GeneralPage } from './general.page.js';
import { GROUPS, valuesOf, type Group } from './settings.js';
import { DomainsPage, NotificationsPage, ThankYouPage } from './settings.page.js';

/** The page of each group, behind the address of the form. */
const PAGE_OF: Record<Group, string> = {
  general: 'settings',
  thanks: 'thank-you',
  owner: 'notifications',
  visitor: 'notifications',
  domains: 'domains',
};

/** The requested form, and the person who asks. */
interface Asked {
  principal: Principal;
  form: Form;
  request: Request;
  response: Response;
}

/** Input that was refused. */
interface Refused {
  typed: Record<string, string>;
  problems: FieldProblem[];
}

/** Returns the address of the page with a group of settings. */
export function pageOf(identifier: string, group: Group): string {
  return `/forms/${identifier}/${PAGE_OF[group]}`;
}

/** Makes and sends the pages of a form's settings. */
@Injectable()
export class SettingsPages {
  constructor(
    private readonly origins: OriginsService,
    private readonly failing: FailingRecipients,
    private readonly troubles: Troubles,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Sends the page with a group; what was refused is shown as it was typed. */
  async send(asked: Asked, group: Group, refused?: Refused): Promise<void> {
    const { principal, form, request, response } = asked;
    await this.troubles.ofForm(principal, form);
    const shown = {
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      values: { ...valuesOf(form), ...(refused && typedIn(group, refused)) },
      refused: refused ? { group, problems: refused.problems } : null,
    };
    const status = refused ? UNPROCESSABLE : undefined;
    switch (PAGE_OF[group]) {
      case 'settings':
        sendPage(response, GeneralPage({ ...shown, count: form.submissionCount }), status);
        return;
      case 'notifications': {
        const isProven = (request as PageRequest).signedIn?.person.verifiedAt != null;
        const failing = await this.failing.list(principal, form.identifier);
        sendPage(response, NotificationsPage({ ...shown, isProven, failing }), status);
        return;
      }
      case 'thank-you':
        sendPage(response, ThankYouPage(shown), status);
        return;
      default: {
        const origins = await this.origins.list(principal, form.identifier);
        sendPage(response, DomainsPage({ ...shown, origins }), status);
      }
    }
  }
}

/** Returns the values of a group that was refused; a box that is not ticked is not sent. */
function typedIn(group: Group, { typed }: Refused): Record<string, string> {
  const names = GROUPS[group].flat().map(({ name }) => `form.${name}`);
  return Object.fromEntries(names.map((name) => [name, typed[name] ?? '']));
}
