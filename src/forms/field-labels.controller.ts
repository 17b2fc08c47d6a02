import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { FieldLabelsDto } from './dto/field-labels.dto.js';
import { SetFieldLabelsDto } from './dto/set-field-labels.dto.js';
import { FormsService } from './forms.service.js';

@Controller('api/v1/forms/:identifier/labels')
export class FieldLabelsController {
  constructor(private readonly forms: FormsService) {}

  /** Show the labels and the order of the fields of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<FieldLabelsDto> {
    const { labels } = await this.forms.get(principal, identifier);
    return FieldLabelsDto.of(labels);
  }

  /** Set the labels and the order of the fields of a form in emails, on pages and in the inbox. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: SetFieldLabelsDto,
  ): Promise<FieldLabelsDto> {
    const fieldLabels = SetFieldLabelsDto.labels(body).encode();
    const form = await this.forms.setExtras(principal, identifier, { fieldLabels });
    return FieldLabelsDto.of(form.labels);
  }
}
