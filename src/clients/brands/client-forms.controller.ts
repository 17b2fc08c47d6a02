import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { OfRecord, Requires, RoutesRequire } from '../../accounts/access/index.js';
import { CreateFormDto, CreateFormSettingsDto, FormDto } from '../../forms/dto/form.dto.js';
import { ClientForms } from './client-forms.service.js';
import { FormDefaultsDto, SetFormDefaultsDto } from './form-defaults.dto.js';

/** Creates forms for a client, and sets what its new forms begin with. */
@Controller('api/v1/clients/:id')
@RoutesRequire('clients:read', 'clients:write')
export class ClientFormsController {
  constructor(private readonly forms: ClientForms) {}

  /** Show the settings that new forms of a client begin with. */
  @Get('form-defaults')
  async show(@OfRecord() { principal, id }: OfRecord): Promise<SetFormDefaultsDto> {
    return SetFormDefaultsDto.of(await this.forms.show(principal, id));
  }

  /**
   * Set all of them; what is absent is as for every form. They apply to forms that the client creates, or that you create
   * for it, where the request says nothing else.
   */
  @Put('form-defaults')
  async replace(
    @OfRecord() { principal, id }: OfRecord,
    @Body() { form_defaults: defaults }: SetFormDefaultsDto,
  ): Promise<SetFormDefaultsDto> {
    const given = FormDefaultsDto.of(defaults);
    return SetFormDefaultsDto.of(await this.forms.replace(principal, id, given));
  }

  /** Create a form that the client sees, with its defaults. Only the name is needed. */
  @Post('forms')
  @Requires('forms:create')
  async create(@OfRecord() { principal, id }: OfRecord, @Body() { form }: CreateFormDto): Promise<FormDto> {
    return FormDto.of(await this.forms.create(principal, id, CreateFormSettingsDto.of(form)));
  }
}
