import { Body, Get, Param, Post, Req, Res, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import type { PageRequest } from '../../auth/session.guard.js';
import { SetVisitorAttachmentDto } from '../../forms/dto/visitor-attachment.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { VisitorAttachments } from '../../forms/visitor-attachments.service.js';
import { ReadsUpload } from '../../platform/http/bodies/body.guard.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { FormHeads } from '../form-head/form-heads.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { Troubles } from '../layout/troubles.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, type Typed } from '../parts/typed.js';
import {
  visitorMailShown,
  visitorMailStored,
  visitorMailTyped,
  type VisitorMailTyped,
} from './visitor-mail.js';
import { VisitorMailPage } from './visitor-mail.page.js';

/** Limits of an upload: above the limit of an attachment, so that a page can name that. */
const UPLOAD = { fileSize: 4 * 1024 * 1024, files: 1, fields: 4, fieldSize: 4096, parts: 6 };

/** Serves the page about confirmation, design and attachment of the mails of a form to visitors. */
@WebController('forms/:identifier/visitor-mail')
export class VisitorMailPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly attachments: VisitorAttachments,
    private readonly troubles: Troubles,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Show whether visitors confirm what they send, the HTML of the mail to them, and the file that goes along. */
  @Get()
  @Requires('forms:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(principal, identifier, null, [], request, response);
  }

  /** Set whether visitors confirm what they send, and the HTML of the mail to them. */
  @Post()
  @Requires('forms:write')
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = visitorMailTyped(sent) ?? { doubleOptIn: false, html: '' };
    try {
      await this.forms.setExtras(principal, identifier, await visitorMailStored(typed));
      redirect(response, `/forms/${identifier}/visitor-mail`, 'saved');
    } catch (error) {
      await this.send(principal, identifier, typed, problemsOf(error), request, response);
    }
  }

  /** Set the file that goes along. */
  @Post('attachment')
  @Requires('forms:write')
  @ReadsUpload()
  @UseInterceptors(FileInterceptor('attachment.content', { limits: UPLOAD }))
  async attach(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @UploadedFile() file: { buffer: Buffer; originalname: string } | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      const field = 'attachment.content';
      // Browsers send names as UTF-8, which the reader of uploads takes for Latin-1.
      const name = file && Buffer.from(file.originalname, 'latin1').toString('utf8');
      const content = file?.buffer ?? Buffer.alloc(0);
      const attachment = { name, content: content.toString('base64') };
      const body = await checked(SetVisitorAttachmentDto, { attachment });
      await this.attachments.set(principal, identifier, body.attachment.name, content, field);
      redirect(response, `/forms/${identifier}/visitor-mail`, 'saved');
    } catch (error) {
      await this.send(principal, identifier, null, problemsOf(error), request, response);
    }
  }

  /** Remove that file. */
  @Post('attachment/removal')
  @Requires('forms:write')
  async detach(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.attachments.remove(principal, identifier);
    redirect(response, `/forms/${identifier}/visitor-mail`, 'saved');
  }

  private async send(
    principal: Principal,
    identifier: string,
    typed: VisitorMailTyped | null,
    problems: FieldProblem[],
    request: Request,
    response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    await this.troubles.ofForm(principal, form);
    const page = VisitorMailPage({
      frame: await this.frames.of(request, response),
      form: await this.heads.of(principal, form),
      typed: typed ?? visitorMailShown(decodeVisitorMail(form.visitorMail)),
      attachment: await this.attachments.find(form.id),
      isProven: (request as PageRequest).signedIn?.person.verifiedAt != null,
      problems,
    });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}
