import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { SetSpamSettingsDto } from './dto/set-spam-settings.dto.js';
import { SpamSettingsDto } from './dto/spam-settings.dto.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Controller('api/v1/forms/:identifier/spam')
export class SpamSettingsController {
  constructor(private readonly settings: SpamSettingsService) {}

  /** Show by which signals a form judges what is sent, what each is worth, and when it is held or spam. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<SpamSettingsDto> {
    return SpamSettingsDto.of(await this.settings.get(principal, identifier));
  }

  /** Change how a form judges from now on. What is not named stays as it is. */
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
