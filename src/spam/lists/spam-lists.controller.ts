import { Body, Controller, Get, Put } from '@nestjs/common';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { ReadsLong, given } from '../../platform/http/index.js';
import { SetSpamListsDto, SpamListsDto } from './spam-lists.dto.js';
import { SpamLists } from './spam-lists.service.js';

@Controller('api/v1/forms/:identifier/spam/lists')
@RoutesRequire('forms:read', 'forms:write')
export class SpamListsController {
  constructor(private readonly lists: SpamLists) {}

  /** Show the block and allow lists of a form. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<SpamListsDto> {
    return SpamListsDto.of(await this.lists.get(principal, identifier));
  }

  /** Replace the block and allow lists of a form. A list that is not named stays as it is. */
  @Put()
  @ReadsLong()
  async change(@InForm() { principal, identifier }: InForm, @Body() { lists }: SetSpamListsDto): Promise<SpamListsDto> {
    return SpamListsDto.of(await this.lists.change(principal, identifier, given(lists)));
  }
}
