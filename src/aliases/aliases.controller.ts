import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import { AliasesService } from './aliases.service.js';
import { AliasListDto, CreateAliasDto, CreatedAliasDto } from './dto/alias.dto.js';

@Controller('api/v1/forms/:identifier/aliases')
export class AliasesController {
  constructor(private readonly aliases: AliasesService) {}

  /** List the ids of other providers that lead to a form, oldest first, and when each was last used. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<AliasListDto> {
    return AliasListDto.of(await this.aliases.list(principal, identifier));
  }

  /** Have an id of another provider lead to a form, so that old pages only need the new host. */
  @Post()
  @Requires('forms:write')
  async add(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { alias: { provider, value } }: CreateAliasDto,
  ): Promise<CreatedAliasDto> {
    return CreatedAliasDto.of(await this.aliases.add(principal, identifier, provider, value));
  }

  /** Remove an alias. Pages that still send to it get an error; no other account can take it. */
  @Delete(':aliasId')
  @Requires('forms:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('aliasId', RecordId) aliasId: number,
  ): Promise<MessageDto> {
    await this.aliases.remove(principal, identifier, aliasId);
    return { message: 'The alias has been removed.' };
  }
}
