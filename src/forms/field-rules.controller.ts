import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { FieldRulesDto } from './dto/field-rules.dto.js';
import { SetFieldRulesDto } from './dto/set-field-rules.dto.js';
import { FormsService } from './forms.service.js';
import { FieldRules } from './model/field-rules.js';

@Controller('api/v1/forms/:identifier/rules')
export class FieldRulesController {
  constructor(private readonly forms: FormsService) {}

  /** Show the rules for the fields of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<FieldRulesDto> {
    const { fieldRules } = await this.forms.get(principal, identifier);
    return FieldRulesDto.of(FieldRules.decode(fieldRules));
  }

  /** Set the rules for the fields of a form, and what happens to a submission that breaks one. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: SetFieldRulesDto,
  ): Promise<FieldRulesDto> {
    const rules = SetFieldRulesDto.rules(body);
    await this.forms.setExtras(principal, identifier, { fieldRules: rules.encode() });
    return FieldRulesDto.of(rules);
  }
}
