import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { ChangeFormSettingsDto } from '../forms/dto/change-form.dto.js';
import { PreviewThankYouPageDto, ThankYouPageDto } from './dto/thank-you-page.dto.js';
import { Pages } from './pages.js';

@Controller('api/v1/forms/:identifier/thank-you-page')
export class ThankYouPageController {
  constructor(private readonly pages: Pages) {}

  /**
   * Preview the thank-you page of the newest submission. Where there is none, or for a token without
   * `submissions:read`, it is about a sample.
   */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<ThankYouPageDto> {
    return ThankYouPageDto.of(await this.pages.preview(principal, identifier, {}));
  }

  /** Preview the thank-you page with other settings. Nothing is stored. */
  @Post('preview')
  @HttpCode(200)
  @Requires('forms:write')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { form = {} }: PreviewThankYouPageDto,
  ): Promise<ThankYouPageDto> {
    const settings = ChangeFormSettingsDto.of(form);
    return ThankYouPageDto.of(await this.pages.preview(principal, identifier, settings));
  }
}
