import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { Troubles } from '../layout/troubles.js';
import { GeneralPage, DomainsPage, ThankYouPage } from './settings.page.js';
import { GROUPS, valuesOf, type Group } from './settings.js';
import { formPage, type PageAnswer } from '../kit/answers.js';

/** The page of each group, behind the address of the form. */
const PAGE_OF: Record<Group, string> = {
  general: 'settings',
  thanks: 'thank-you',
  domains: 'domains',
};

/** The requested form, and the person who asks. */
interface FormOf {
  principal: Principal;
  form: Form;
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

/** Makes the pages of a form's settings. */
@Injectable()
export class SettingsPages {
  constructor(
    private readonly origins: OriginsService,
    private readonly troubles: Troubles,
  ) {}

  /** Makes the page with a group; what was refused is shown as it was typed. */
  async page({ principal, form }: FormOf, group: Group, refused?: Refused): Promise<PageAnswer> {
    await this.troubles.ofForm(principal, form);
    const shown = {
      values: { ...valuesOf(form), ...(refused && typedIn(group, refused)) },
      refused: refused ? { group, problems: refused.problems } : null,
    };
    switch (PAGE_OF[group]) {
      case 'settings':
        return formPage(form, GeneralPage, { ...shown, count: form.submissionCount });
      case 'thank-you':
        return formPage(form, ThankYouPage, shown);
      default: {
        const origins = await this.origins.list(principal, form.identifier);
        return formPage(form, DomainsPage, { ...shown, origins });
      }
    }
  }
}

/** Returns the values of a group that was refused; a box that is not ticked is not sent. */
function typedIn(group: Group, { typed }: Refused): Record<string, string> {
  const names = GROUPS[group].flat().map(({ name }) => `form.${name}`);
  return Object.fromEntries(names.map((name) => [name, typed[name] ?? '']));
}
