import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { Requires } from '../../access/access.decorators.js';
import { FormsService } from '../../forms/forms.service.js';
import { settingsTyped, typedOf, type Group } from './settings.js';
import { pageOf, SettingsPages } from './settings-pages.js';
import { attempt, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

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

/** Serves the settings of a form. Each group is saved by itself. */
@WebController(FORM)
export class SettingsPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly pages: SettingsPages,
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
}

/** Returns the group of the path by which a request was routed. */
function groupIn(groups: Record<string, Group>, request: Request): Group {
  const { path } = request.route as { path: string };
  const group = groups[path.slice(path.indexOf(FORM) + FORM.length + 1)];
  if (!group) throw new Error(`No group of settings is at ${path}.`);
  return group;
}
