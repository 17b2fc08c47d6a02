import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { AliasesService } from '../../aliases/aliases.service.js';
import { CreateAliasDto } from '../../aliases/dto/alias.dto.js';
import { oldIdIn } from '../../aliases/old-address.js';
import { asProvider } from '../../aliases/provider.js';
import { FormsService } from '../../forms/forms.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import { FormHeads } from '../form-head/form-heads.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { AliasesPage } from './aliases.page.js';

const NOTHING_TYPED = { provider: 'formspree', value: '' };

/** Serves the page with the ids of other providers that lead to a form. */
@WebController('forms/:identifier')
export class AliasPagesController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly forms: FormsService,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** List the old ids of a form. */
  @Get('aliases')
  @Requires('forms:write')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, request, response, NOTHING_TYPED, []);
  }

  /** Have an old id lead to a form; a whole address says its provider itself. */
  @Post('aliases')
  @Requires('forms:write')
  async add(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = {
      provider: textOf(sent, 'alias.provider'),
      value: textOf(sent, 'alias.value').trim(),
    };
    await this.forms.get(principal, identifier);
    try {
      const { alias } = await checked(CreateAliasDto, { alias: oldIdIn(typed.value) ?? typed });
      await this.aliases.add(principal, identifier, alias.provider, alias.value);
      redirect(response, `/forms/${identifier}/aliases`, 'saved');
    } catch (error) {
      await this.send(principal, identifier, request, response, typed, problemsOf(error));
    }
  }

  /** Have an old id lead nowhere. */
  @Post('aliases/:aliasId/remove')
  @Requires('forms:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('aliasId', RecordId) aliasId: number,
    @Res() response: Response,
  ): Promise<void> {
    await this.aliases.remove(principal, identifier, aliasId);
    redirect(response, `/forms/${identifier}/aliases`, 'saved');
  }

  /** Set how a form answers. */
  @Post('dialect')
  @Requires('forms:write')
  async setDialect(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const dialect = asProvider(textOf(sent, 'dialect'));
    await this.forms.setExtras(principal, identifier, { dialect });
    redirect(response, `/forms/${identifier}/aliases`, 'saved');
  }

  private async send(
    principal: Principal,
    identifier: string,
    request: Request,
    response: Response,
    typed: { provider: string; value: string },
    problems: FieldProblem[],
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const rows = await this.aliases.list(principal, identifier);
    const frame = await this.frames.of(request, response);
    const page = AliasesPage({
      ...{ frame, form: await this.heads.of(principal, form), rows, typed, problems },
      dialect: form.dialect ?? '',
    });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}
