import { Get, Param, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import { AliasesService } from '../../aliases/aliases.service.js';
import { CreateAliasDto } from '../../aliases/dto/alias.dto.js';
import { oldIdIn } from '../../aliases/old-address.js';
import { asProvider } from '../../aliases/provider.js';
import { FormsService } from '../../forms/forms.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import { checked, textOf } from '../parts/typed.js';
import { AliasesPage } from './aliases.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

const NOTHING_TYPED = { provider: 'formspree', value: '' };

/** Serves the page with the ids of other providers that lead to a form. */
@WebController('forms/:identifier')
export class AliasPagesController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly forms: FormsService,
  ) {}

  /** List the old ids of a form. */
  @Get('aliases')
  @Requires('forms:write')
  async list(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    return this.page(principal, identifier, NOTHING_TYPED, []);
  }

  /** Have an old id lead to a form; a whole address says its provider itself. */
  @Post('aliases')
  @Requires('forms:write')
  async add(@Asked() { principal, identifier, typed: sent }: PageInput): Promise<PageAnswer> {
    const typed = {
      provider: textOf(sent, 'alias.provider'),
      value: textOf(sent, 'alias.value').trim(),
    };
    await this.forms.get(principal, identifier);
    return attempt(
      async () => {
        const { alias } = await checked(CreateAliasDto, { alias: oldIdIn(typed.value) ?? typed });
        await this.aliases.add(principal, identifier, alias.provider, alias.value);
        return goTo(`/forms/${identifier}/aliases`, 'saved');
      },
      (problems) => this.page(principal, identifier, typed, problems),
    );
  }

  /** Have an old id lead nowhere. */
  @Post('aliases/:aliasId/remove')
  @Requires('forms:write')
  async remove(
    @Asked() { principal, identifier }: PageInput,
    @Param('aliasId', RecordId) aliasId: number,
  ): Promise<PageAnswer> {
    await this.aliases.remove(principal, identifier, aliasId);
    return goTo(`/forms/${identifier}/aliases`, 'saved');
  }

  /** Set how a form answers. */
  @Post('dialect')
  @Requires('forms:write')
  async setDialect(
    @Asked() { principal, identifier, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const dialect = asProvider(textOf(sent, 'dialect'));
    await this.forms.setExtras(principal, identifier, { dialect });
    return goTo(`/forms/${identifier}/aliases`, 'saved');
  }

  private async page(
    principal: Principal,
    identifier: string,
    typed: { provider: string; value: string },
    problems: FieldProblem[],
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const rows = await this.aliases.list(principal, identifier);
    return formPage(form, AliasesPage, {
      ...{ rows, typed, problems },
      dialect: form.dialect ?? '',
    });
  }
}
