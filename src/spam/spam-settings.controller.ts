import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { SetSpamSettingsDto, SpamSettingsDto } from './dto/spam-settings.dto.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Controller('api/v1/forms/:identifier/spam')
export class SpamSettingsController {
  constructor(private readonly settings: SpamSettingsService) {}

  /** Show the spam signals of a form, their points, and the scores for held and spam. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<SpamSettingsDto> {
    return SpamSettingsDto.of(await this.settings.get(principal, identifier));
  }

  /** Change the spam settings of a form. What is not named stays as it is. */
  @Put()
  @Requires('forms:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { spam }: SetSpamSettingsDto,
  ): Promise<SpamSettingsDto> {
    const change = SetSpamSettingsDto.change(spam);
    return SpamSettingsDto.of(await this.settings.change(principal, identifier, change));
  }
}
