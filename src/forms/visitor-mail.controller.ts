import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal } from '../access/principal.js';
import { ReadsLong } from '../platform/http/bodies/body.guard.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { SetVisitorAttachmentDto, VisitorAttachmentDto } from './dto/visitor-attachment.dto.js';
import { SetVisitorMailDto, VisitorMailDto } from './dto/visitor-mail.dto.js';
import { FormsService } from './forms.service.js';
import { decodeVisitorMail, encodeVisitorMail } from './model/visitor-mail.js';
import { VisitorAttachments } from './visitor-attachments.service.js';

@Controller('api/v1/forms/:identifier/visitor-mail')
export class VisitorMailController {
  constructor(
    private readonly forms: FormsService,
    private readonly attachments: VisitorAttachments,
  ) {}

  /** Show whether visitors confirm what they send, the HTML of the email to them, and the file that goes along. */
  @Get()
  @Requires('forms:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<VisitorMailDto> {
    const { id, visitorMail } = await this.forms.get(principal, identifier);
    return VisitorMailDto.of(decodeVisitorMail(visitorMail), await this.attachments.find(id));
  }

  /**
   * Set whether visitors confirm what they send, and the HTML of the email to them. What is not named gets its default;
   * what waits for a confirmation goes on waiting.
   */
  @Put()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() body: SetVisitorMailDto,
  ): Promise<VisitorMailDto> {
    const choice = SetVisitorMailDto.choice(body);
    const visitorMail = encodeVisitorMail(choice);
    const { id } = await this.forms.setExtras(principal, identifier, { visitorMail });
    return VisitorMailDto.of(choice, await this.attachments.find(id));
  }

  /** Show the file that goes along with each email to a visitor, with its bytes. */
  @Get('attachment')
  @Requires('forms:read')
  async showAttachment(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<VisitorAttachmentDto> {
    return VisitorAttachmentDto.from(await this.attachments.get(principal, identifier));
  }

  /** Set the file that goes along with each email to a visitor, up to 2 MB. */
  @Put('attachment')
  @ReadsLong()
  @Requires('forms:write')
  async setAttachment(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { attachment: { name, content } }: SetVisitorAttachmentDto,
  ): Promise<VisitorAttachmentDto> {
    const bytes = Buffer.from(content, 'base64');
    await this.attachments.set(principal, identifier, name, bytes, 'attachment.content');
    return VisitorAttachmentDto.from(await this.attachments.get(principal, identifier));
  }

  /** Remove that file. */
  @Delete('attachment')
  @Requires('forms:write')
  async removeAttachment(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<MessageDto> {
    await this.attachments.remove(principal, identifier);
    return { message: 'No file goes along with emails to visitors any more.' };
  }
}
