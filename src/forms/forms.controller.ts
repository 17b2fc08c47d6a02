import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { Response, NextFunction, Request } from 'express';
import { Allows, CurrentPrincipal, Requires, RoutesRequire, InForm, Principal } from '../accounts/access/index.js';
import { Config } from '../platform/index.js';
import { MessageDto, PageQueryDto, ReadsLong, pageHeaders, hasBody } from '../platform/http/index.js';
import {
  ChangeFormDto,
  ChangeFormSettingsDto,
  CreateFormDto,
  CreateFormSettingsDto,
  FormListDto,
  FormDto,
} from './dto/form.dto.js';
import { EnsuredFormDto, EnsureFormDto } from './dto/ensured-form.dto.js';
import { FieldsDto } from './dto/fields.dto.js';
import { FormQueries } from './form-queries.service.js';
import { FormsService } from './forms.service.js';

/**
 * Turns a POST without a body into a GET, with a GET's rights: the documented sample request for the list
 * is such a POST. With a body the same address creates a form.
 */
export function emptyPostIsGet(request: Request, _: Response, next: NextFunction): void {
  if (!hasBody(request)) request.method = 'GET';
  next();
}

const PATH = 'api/v1/forms';

@Controller(PATH)
@RoutesRequire('forms:read', 'forms:write')
export class FormsController {
  constructor(
    private readonly forms: FormsService,
    private readonly reads: FormQueries,
    private readonly config: Config,
  ) {}

  /**
   * List the forms of the account, oldest first: all of them, or one page when `page` or `per_page`
   * is given, with the headers `Link` and `X-Total-Count`. A POST without a body does the same.
   */
  @Get()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FormListDto> {
    const page = PageQueryDto.page(query);
    if (page) {
      const total = await this.reads.count(principal);
      response.set(pageHeaders(`${this.config.baseUrl}/${PATH}`, page, total));
    }
    return FormListDto.of(await this.reads.list(principal, page));
  }

  /** Create a form. Only the name is needed. */
  @Post()
  @Requires('forms:create')
  async create(@CurrentPrincipal() principal: Principal, @Body() body: CreateFormDto): Promise<FormDto> {
    return FormDto.of(await this.forms.create(principal, CreateFormSettingsDto.of(body.form)));
  }

  /**
   * Ensure that a form of this name is there: 201 when it was created, 200 when it was there before, which changes nothing
   * of it. Repeating the request, or sending it twice at once, makes one form.
   */
  @Put()
  @Requires('forms:create')
  @ReadsLong()
  async ensure(
    @CurrentPrincipal() principal: Principal,
    @Body() { form, fields = [] }: EnsureFormDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EnsuredFormDto> {
    const listed = FieldsDto.fields({ fields });
    const ensured = await this.forms.ensure(principal, CreateFormSettingsDto.of(form), listed);
    response.status(ensured.isNew ? HttpStatus.CREATED : HttpStatus.OK);
    return EnsuredFormDto.of(ensured);
  }

  /** View a form with all its settings. */
  @Get(':identifier')
  async view(@InForm() { principal, identifier }: InForm): Promise<FormDto> {
    return FormDto.of(await this.reads.view(principal, identifier));
  }

  /** View a form: the documented sample request uses POST; a body is ignored. */
  @Post(':identifier')
  @HttpCode(200)
  @Requires('forms:read')
  viewByPost(@InForm() form: InForm): Promise<FormDto> {
    return this.view(form);
  }

  /** Change settings of a form. Absent fields stay, null clears where null is allowed. */
  @Patch(':identifier')
  async change(@InForm() { principal, identifier }: InForm, @Body() body: ChangeFormDto): Promise<FormDto> {
    const settings = ChangeFormSettingsDto.of(body.form);
    return FormDto.of(await this.forms.change(principal, identifier, settings));
  }

  /** Change settings of a form, the same as PATCH. */
  @Put(':identifier')
  replace(@InForm() form: InForm, @Body() body: ChangeFormDto): Promise<FormDto> {
    return this.change(form, body);
  }

  /** Delete a form. It is gone at once, from its clients too. */
  @Delete(':identifier')
  @Allows('erase')
  async delete(@InForm() { principal, identifier }: InForm): Promise<MessageDto> {
    await this.forms.delete(principal, identifier);
    return { message: 'The form has been deleted.' };
  }
}
