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

/** Serves the settings of a form. Each group is saved by itself. */
@WebController('forms/:identifier')
export class SettingsPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly pages: SettingsPages,
  ) {}

  /** Show the name of a form, and what duplicates and deletes it. */
  @Get('settings')
  @Requires('forms:write')
  showGeneral(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.show('general', principal, identifier, request, response);
  }

  /** Show the emails that a form sends. */
  @Get('notifications')
  @Requires('forms:write')
  showNotifications(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.show('owner', principal, identifier, request, response);
  }

  /** Show what visitors see after submitting. */
  @Get('thank-you')
  @Requires('forms:write')
  showThanks(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.show('thanks', principal, identifier, request, response);
  }

  /** Show the sites from which a form may be sent. */
  @Get('domains')
  @Requires('forms:write')
  showDomains(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.show('domains', principal, identifier, request, response);
  }

  /** Change the name. */
  @Post('settings')
  @Requires('forms:write')
  changeGeneral(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.change('general', principal, identifier, sent, request, response);
  }

  /** Change the email to the team. */
  @Post('notifications/owner')
  @Requires('forms:write')
  changeOwner(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.change('owner', principal, identifier, sent, request, response);
  }

  /** Change the email to the visitor. */
  @Post('notifications/visitor')
  @Requires('forms:write')
  changeVisitor(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.change('visitor', principal, identifier, sent, request, response);
  }

  /** Change what visitors see after submitting. */
  @Post('thank-you')
  @Requires('forms:write')
  changeThanks(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.change('thanks', principal, identifier, sent, request, response);
  }

  /** Change the sites from which the form may be sent. */
  @Post('domains')
  @Requires('forms:write')
  changeDomains(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.change('domains', principal, identifier, sent, request, response);
  }

  private async show(
    group: Group,
    principal: Principal,
    identifier: string,
    request: Request,
    response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    await this.pages.send({ principal, form, request, response }, group);
  }

  private async change(
    group: Group,
    principal: Principal,
    identifier: string,
    sent: Typed | undefined,
    request: Request,
    response: Response,
  ): Promise<void> {
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
