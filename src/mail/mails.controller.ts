import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { RoutesRequire, InForm } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { ChangeFormSettingsDto } from '../forms/dto/change-form.dto.js';
import { SetVisitorMailDto } from '../forms/dto/visitor-mail.dto.js';
import type { PreviewedSettings } from '../forms/model/form.entity.js';
import { encodeVisitorMail } from '../forms/model/visitor-mail.js';
import { MailPreviewsDto, PreviewMailsDto } from './dto/mails.dto.js';
import { MailPreviews } from './mail-channel.js';

@Controller('api/v1/forms/:identifier/mails')
@RoutesRequire('forms:read', 'forms:write')
export class MailsController {
  constructor(private readonly previews: MailPreviews) {}

  /**
   * Preview the emails of a form for its newest submission. Where there is none, or for a token without
   * `submissions:read`, they are about a sample.
   */
  @Get()
  show(@InForm() { principal, identifier }: InForm): Promise<MailPreviewsDto> {
    return this.both(principal, identifier, {});
  }

  /** Preview the emails of a form with other settings. Nothing is stored, and nothing is sent. */
  @Post('preview')
  @HttpCode(200)
  preview(
    @InForm() { principal, identifier }: InForm,
    @Body() { form = {}, visitor_mail }: PreviewMailsDto,
  ): Promise<MailPreviewsDto> {
    const choice = visitor_mail && SetVisitorMailDto.choice({ visitor_mail });
    return this.both(principal, identifier, {
      ...ChangeFormSettingsDto.of(form),
      ...(choice && { visitorMail: encodeVisitorMail(choice) }),
    });
  }

  private async both(
    principal: Principal,
    identifier: string,
    settings: PreviewedSettings,
  ): Promise<MailPreviewsDto> {
    return MailPreviewsDto.of(
      await this.previews.of(principal, identifier, 'owner', settings),
      await this.previews.of(principal, identifier, 'visitor', settings),
    );
  }
}
