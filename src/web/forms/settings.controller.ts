import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { Requires, Allows } from '../../access/access.decorators.js';
import { FormsService } from '../../forms/forms.service.js';
import { settingsTyped, typedOf, type Group, valuesOf } from './settings.js';
import { pageOf, SettingsPages } from './settings-pages.js';
import { attempt, goTo, type PageAnswer, refused } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { textOf, checked } from '../parts/typed.js';
import { formWords } from './words.js';
import { formatUuid, parseUuid } from '../../platform/kernel/uuid.js';
import { AllowDomainDto } from '../../search/origins/dto/origins.dto.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from '../submission/submission-views.js';
import { FailingRecipients } from '../../bounces/failing-recipients.service.js';

const FORM = 'forms/:identifier';

/** The group that each path behind the address of a form shows first. */
const SHOWN = {
  settings: 'general',
  notifications: 'owner',
  'thank-you': 'thanks',
  domains: 'domains',
} as const satisfies Record<string, Group>;

/** The group that each path saves. */
const SAVED = {
  settings: 'general',
  'notifications/owner': 'owner',
  'notifications/visitor': 'visitor',
  'thank-you': 'thanks',
  domains: 'domains',
} as const satisfies Record<string, Group>;

/** Serves the settings of a form, each group saved by itself, and the buttons on their pages. */
@WebController(FORM)
export class SettingsPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly pages: SettingsPages,
    private readonly origins: OriginsService,
    private readonly failing: FailingRecipients,
  ) {}

  /** Show a page of settings: the name, the emails, what visitors see after submitting, or the allowed sites. */
  @Get(Object.keys(SHOWN))
  @Requires('forms:write')
  async show(
    @Asked() { principal, signedIn, identifier, request }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    return this.pages.page({ principal, signedIn, form }, groupIn(SHOWN, request));
  }

  /** Change a group of settings, and none of the others. */
  @Post(Object.keys(SAVED))
  @Requires('forms:write')
  async change(
    @Asked() { principal, signedIn, identifier, typed: sent, request }: PageInput,
  ): Promise<PageAnswer> {
    const group = groupIn(SAVED, request);
    const form = await this.forms.get(principal, identifier);
    const typed = typedOf(sent);
    return attempt(
      async () => {
        await this.forms.change(principal, identifier, await settingsTyped(group, typed));
        return goTo(pageOf(identifier, group), 'saved');
      },
      (problems) => this.pages.page({ principal, signedIn, form }, group, { typed, problems }),
    );
  }

  /** Make a form with the same settings. */
  @Post('duplicates')
  @Requires('forms:create')
  async duplicate(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const { name } = await this.forms.get(principal, identifier);
    const copy = await this.forms.duplicate(principal, identifier, formWords.copyOf(name));
    return goTo(`/forms/${copy.identifier}`, 'form_duplicated');
  }

  /** Delete a form, once its name has been typed. */
  @Post('delete')
  @Requires('forms:write')
  @Allows('erase')
  async delete(
    @Asked() { principal, signedIn, identifier, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    if (textOf(sent, 'typed_name').trim() === form.name) {
      await this.forms.delete(principal, identifier);
      return goTo('/forms', 'form_deleted');
    }
    const problem = { field: 'typed_name', code: 'wrong_name', message: formWords.wrongName };
    const wrong = { typed: valuesOf(form), problems: [problem] };
    return refused(await this.pages.page({ principal, signedIn, form }, 'general', wrong));
  }

  /** Allow what comes from a domain, and go back to where it was asked for: that page, or a submission. */
  @Post('origins')
  @Requires('forms:write')
  async allow(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const { domain } = await checked(AllowDomainDto, { domain: textOf(sent, 'domain') });
    await this.origins.allow(principal, identifier, domain);
    const id = parseUuid(textOf(sent, 'submission'));
    const back =
      id === null
        ? `/forms/${identifier}/domains#s-origins`
        : submissionAddress(identifier, formatUuid(id), lineOf(sent));
    return goTo(back, 'domain_allowed');
  }

  /** Have emails sent to one of them again. */
  @Post('recipients/failing')
  @Requires('forms:write')
  async tryAgain(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    await this.failing.tryAgain(principal, identifier, textOf(sent, 'email'));
    return goTo(pageOf(identifier, 'owner'), 'recipient_tried');
  }
}

/** Returns the group of the path by which a request was routed. */
function groupIn(groups: Record<string, Group>, request: Request): Group {
  const { path } = request.route as { path: string };
  const group = groups[path.slice(path.indexOf(FORM) + FORM.length + 1)];
  if (!group) throw new Error(`No group of settings is at ${path}.`);
  return group;
}
