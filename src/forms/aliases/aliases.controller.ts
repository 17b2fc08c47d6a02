import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { FormQueries } from '../form-queries.service.js';
import { CurrentPrincipal, Requires, RoutesRequire, InForm, Principal } from '../../accounts/access/index.js';
import { MessageDto, RecordId } from '../../platform/http/index.js';
import { AliasesService } from './aliases.service.js';
import { AliasListDto, CreateAliasDto, CreatedAliasDto, AccountAliasListDto, DialectDto } from './alias.dto.js';
import { FormsService } from '../forms.service.js';
import { asProvider } from './old-address.js';

@Controller('api/v1/forms/:identifier/aliases')
@RoutesRequire('forms:read', 'forms:write')
export class AliasesController {
  constructor(private readonly aliases: AliasesService) {}

  /** List the old IDs of a form, oldest first, and when each was last used. */
  @Get()
  async list(@InForm() { principal, identifier }: InForm): Promise<AliasListDto> {
    return AliasListDto.of(await this.aliases.list(principal, identifier));
  }

  /** Map an ID of another provider to a form, so that old pages only need the new host. */
  @Post()
  async add(
    @InForm() { principal, identifier }: InForm,
    @Body() { alias: { provider, value } }: CreateAliasDto,
  ): Promise<CreatedAliasDto> {
    return CreatedAliasDto.of(await this.aliases.add(principal, identifier, provider, value));
  }

  /** Remove an alias. Pages that still send to it get an error; no other account can take it. */
  @Delete(':aliasId')
  async remove(
    @InForm() { principal, identifier }: InForm,
    @Param('aliasId', RecordId) aliasId: number,
  ): Promise<MessageDto> {
    await this.aliases.remove(principal, identifier, aliasId);
    return { message: 'The alias has been removed.' };
  }
}

@Controller('api/v1/aliases')
export class AccountAliasesController {
  constructor(private readonly aliases: AliasesService) {}

  /** List the old IDs of all forms, the most recently used first. */
  @Get()
  @Requires('forms:read')
  async list(@CurrentPrincipal() principal: Principal): Promise<AccountAliasListDto> {
    return AccountAliasListDto.of(await this.aliases.listAll(principal));
  }
}

@Controller('api/v1/forms/:identifier/dialect')
@RoutesRequire('forms:read', 'forms:write')
export class DialectController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** Show the provider whose answers a form gives. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<DialectDto> {
    const { dialect } = await this.queries.get(principal, identifier);
    return { dialect: asProvider(dialect) };
  }

  /** Set the provider whose special fields a form reads and whose answers it gives; null for that of the address. */
  @Put()
  async set(@InForm() { principal, identifier }: InForm, @Body() { dialect = null }: DialectDto): Promise<DialectDto> {
    const form = await this.forms.change(principal, identifier, { dialect });
    return { dialect: asProvider(form.dialect) };
  }
}
