import { Body, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { redirect } from '../layout/flash.js';
import { textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { formWords } from './words.js';
import { valuesOf } from './settings.js';
import { SettingsPages } from './settings-pages.js';

/** Serves the buttons on the general page of a form: they duplicate and delete it. */
@WebController('forms/:identifier')
export class GeneralPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly pages: SettingsPages,
  ) {}

  /** Make a form with the same settings. */
  @Post('duplicates')
  @Requires('forms:create')
  async duplicate(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Res() response: Response,
  ): Promise<void> {
    const { name } = await this.forms.get(principal, identifier);
    const copy = await this.forms.duplicate(principal, identifier, formWords.copyOf(name));
    redirect(response, `/forms/${copy.identifier}`, 'form_duplicated');
  }

  /** Delete a form, once its name has been typed. */
  @Post('delete')
  @Requires('forms:write')
  @Allows('erase')
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    if (textOf(sent, 'typed_name').trim() === form.name) {
      await this.forms.delete(principal, identifier);
      redirect(response, '/forms', 'form_deleted');
      return;
    }
    const problem = { field: 'typed_name', code: 'wrong_name', message: formWords.wrongName };
    const refused = { typed: valuesOf(form), problems: [problem] };
    await this.pages.send({ principal, form, request, response }, 'general', refused);
  }
}
