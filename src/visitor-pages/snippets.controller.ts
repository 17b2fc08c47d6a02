import { Controller, Get, Query } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Requires, InForm } from '../accounts/access/index.js';
import { Config, Optional } from '../platform/index.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { FLAVOUR_NAMES, snippetsFor, type Flavour } from './snippets.js';

class SnippetsQueryDto {
  /** The language or framework of the only snippet; all of them by default. */
  @IsIn(FLAVOUR_NAMES, { message: `must be one of ${FLAVOUR_NAMES.join(', ')}` })
  @Optional()
  @ApiPropertyOptional({ enum: FLAVOUR_NAMES })
  flavour?: Flavour;
}

/** Code that sends to the address of a form. */
export class SnippetDto {
  flavour: Flavour;
  /** Name of the language or framework. */
  name: string;
  /** Code to paste into a page, with the fields that the form lists. */
  code: string;
}

/** Snippets of a form, the plainest first. */
export class SnippetListDto {
  snippets: SnippetDto[];
}

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
