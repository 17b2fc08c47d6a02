import { Body, Controller, Get, Put } from '@nestjs/common';
import { RoutesRequire, InForm } from '../accounts/access/index.js';
import { SetSpamSettingsDto, SpamSettingsDto } from './spam-settings.dto.js';
import { SpamSettingsService } from './spam-settings.service.js';

@Controller('api/v1/forms/:identifier/spam')
@RoutesRequire('forms:read', 'forms:write')
export class SpamSettingsController {
  constructor(private readonly settings: SpamSettingsService) {}

  /** Show the spam signals of a form, their points, and the scores for held and spam. */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<SpamSettingsDto> {
    return SpamSettingsDto.of(await this.settings.get(principal, identifier));
  }

  /** Change the spam settings of a form. What is not named stays as it is. */
  @Put()
  async change(
    @InForm() { principal, identifier }: InForm,
    @Body() { spam }: SetSpamSettingsDto,
  ): Promise<SpamSettingsDto> {
    const change = SetSpamSettingsDto.change(spam);
    return SpamSettingsDto.of(await this.settings.change(principal, identifier, change));
  }
}
