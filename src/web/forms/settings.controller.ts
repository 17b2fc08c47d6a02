import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { redirect } from '../layout/flash.js';
import { problemsOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { settingsTyped, typedOf, type Group } from './settings.js';
import { pageOf, SettingsPages } from './settings-pages.js';

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
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    await this.pages.send({ principal, form, request, response }, groupIn(SHOWN, request));
  }

  /** Change a group of settings, and none of the others. */
  @Post(Object.keys(SAVED))
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const group = groupIn(SAVED, request);
    const form = await this.forms.get(principal, identifier);
    const typed = typedOf(sent);
    try {
      await this.forms.change(principal, identifier, await settingsTyped(group, typed));
      redirect(response, pageOf(identifier, group), 'saved');
    } catch (error) {
      const refused = { typed, problems: problemsOf(error) };
      await this.pages.send({ principal, form, request, response }, group, refused);
    }
  }
}

/** Returns the group of the path by which a request was routed. */
function groupIn(groups: Record<string, Group>, request: Request): Group {
  const { path } = request.route as { path: string };
  const group = groups[path.slice(path.indexOf(FORM) + FORM.length + 1)];
  if (!group) throw new Error(`No group of settings is at ${path}.`);
  return group;
}
