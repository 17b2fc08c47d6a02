import { Controller, Get, Query } from '@nestjs/common';
import { Requires, InForm } from '../accounts/access/index.js';
import { Config } from '../platform/index.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { snippetsFor } from './snippets.js';
import { SnippetListDto, SnippetsQueryDto } from './visitor-pages.dto.js';

@Controller('api/v1/forms/:identifier/snippets')
export class SnippetsController {
  constructor(
    private readonly forms: FormQueries,
    private readonly config: Config,
  ) {}

  /** List the code that puts a form into a page, for each language and framework. */
  @Get()
  @Requires('forms:read')
  async list(
    @InForm() { principal, identifier }: InForm,
    @Query() { flavour }: SnippetsQueryDto,
  ): Promise<SnippetListDto> {
    const form = await this.forms.get(principal, identifier);
    const address = `${this.config.baseUrl}/f/${identifier}`;
    const { name, fields } = form;
    const all = snippetsFor({ address, name, fields: fields.list }, SpamSettings.of(form).captcha);
    return { snippets: flavour === undefined ? all : all.filter((each) => each.flavour === flavour) };
  }
}
