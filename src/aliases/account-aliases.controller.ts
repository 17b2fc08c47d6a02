import { Controller, Get } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { AliasesService } from './aliases.service.js';
import { AccountAliasListDto } from './dto/alias.dto.js';

@Controller('api/v1/aliases')
export class AccountAliasesController {
  constructor(private readonly aliases: AliasesService) {}

  /** List the ids of other providers that lead to any of your forms, the one that was last used first. */
  @Get()
  @Requires('forms:read')
  async list(@CurrentPrincipal() principal: Principal): Promise<AccountAliasListDto> {
    return AccountAliasListDto.of(await this.aliases.listAll(principal));
  }
}
