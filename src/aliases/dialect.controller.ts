import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { FormsService } from '../forms/forms.service.js';
import { DialectDto } from './dto/dialect.dto.js';
import { asProvider } from './provider.js';

@Controller('api/v1/forms/:identifier/dialect')
export class DialectController {
  constructor(private readonly forms: FormsService) {}

  /** Show the provider whose answers a form gives. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<DialectDto> {
    const { dialect } = await this.forms.get(principal, identifier);
    return { dialect: asProvider(dialect) };
  }

  /** Set the provider whose special fields a form reads and whose answers it gives; null for that of the address. */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { dialect = null }: DialectDto,
  ): Promise<DialectDto> {
    const form = await this.forms.setExtras(principal, identifier, { dialect });
    return { dialect: asProvider(form.dialect) };
  }
}
