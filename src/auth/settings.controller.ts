import { Body, Controller, Get, Patch } from '@nestjs/common';
import { SessionRoute } from '../access/access.decorators.js';
import { ProfileService } from '../people/profile/profile.service.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { ChangeSettingsDto, SettingsDto } from './dto/settings.dto.js';
import { CurrentPerson } from './signed-in.decorator.js';

/** Shows and changes how the pages behave for who is signed in, in every browser. */
@Controller('api/v1/me/settings')
@SessionRoute()
export class SettingsController {
  constructor(private readonly profiles: ProfileService) {}

  /** Show your personal settings. */
  @Get()
  show(@CurrentPerson() { person }: SignedIn): SettingsDto {
    return SettingsDto.of(person);
  }

  /** Change your personal settings, for every browser. What is absent stays. */
  @Patch()
  async change(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { settings: { keys, time_zone } }: ChangeSettingsDto,
  ): Promise<SettingsDto> {
    const { keysOff, timeZone } = signedIn.person;
    const settings = {
      keysOff: keys === undefined ? keysOff : !keys,
      timeZone: time_zone ?? timeZone,
    };
    return SettingsDto.of(await this.profiles.changeSettings(signedIn, settings));
  }
}
