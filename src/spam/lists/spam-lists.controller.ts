import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { ReadsLong } from '../../platform/http/bodies/body.guard.js';
import { SetSpamListsDto, SpamListsDto } from './dto/spam-lists.dto.js';
import { SpamLists } from './spam-lists.service.js';

@Controller('api/v1/forms/:identifier/spam/lists')
export class SpamListsController {
  constructor(private readonly lists: SpamLists) {}

  /** Show the block and allow lists of a form. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<SpamListsDto> {
    return SpamListsDto.of(await this.lists.get(principal, identifier));
  }

  /** Replace the block and allow lists of a form. A list that is not named stays as it is. */
  @Put()
  @Requires('forms:write')
  @ReadsLong()
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { lists }: SetSpamListsDto,
  ): Promise<SpamListsDto> {
    const change = SetSpamListsDto.change(lists);
    return SpamListsDto.of(await this.lists.change(principal, identifier, change));
  }
}
