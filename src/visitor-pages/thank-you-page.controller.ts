import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { RoutesRequire, InForm } from '../accounts/access/access.decorators.js';
import { ChangeFormSettingsDto } from '../forms/dto/form.dto.js';
import { PreviewThankYouPageDto, ThankYouPageDto } from './dto/thank-you-page.dto.js';
import { Pages } from './pages.js';

@Controller('api/v1/forms/:identifier/thank-you-page')
@RoutesRequire('forms:read', 'forms:write')
export class ThankYouPageController {
  constructor(private readonly pages: Pages) {}

  /**
   * Preview the thank-you page of the newest submission. Where there is none, or for a token without
   * `submissions:read`, it is about a sample.
   */
  @Get()
  async show(@InForm() { principal, identifier }: InForm): Promise<ThankYouPageDto> {
    return ThankYouPageDto.of(await this.pages.preview(principal, identifier, {}));
  }

  /** Preview the thank-you page with other settings. Nothing is stored. */
  @Post('preview')
  @HttpCode(200)
  async preview(
    @InForm() { principal, identifier }: InForm,
    @Body() { form = {} }: PreviewThankYouPageDto,
  ): Promise<ThankYouPageDto> {
    const settings = ChangeFormSettingsDto.of(form);
    return ThankYouPageDto.of(await this.pages.preview(principal, identifier, settings));
  }
}
