import { Get, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { Requires } from '../../access/access.decorators.js';
import { SetVisitorAttachmentDto } from '../../forms/dto/visitor-attachment.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { VisitorAttachments } from '../../forms/visitor-attachments.service.js';
import { ReadsUpload } from '../../platform/http/bodies/body.guard.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Troubles } from '../layout/troubles.js';
import { checked } from '../parts/typed.js';
import {
  visitorMailShown,
  visitorMailStored,
  visitorMailTyped,
  type VisitorMailTyped,
} from './visitor-mail.js';
import { VisitorMailPage } from './visitor-mail.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Limits of an upload: above the limit of an attachment, so that a page can name that. */
const UPLOAD = { fileSize: 4 * 1024 * 1024, files: 1, fields: 4, fieldSize: 4096, parts: 6 };

/** Serves the page about confirmation, design and attachment of the mails of a form to visitors. */
@WebController('forms/:identifier/visitor-mail')
export class VisitorMailPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly attachments: VisitorAttachments,
    private readonly troubles: Troubles,
  ) {}

  /** Show whether visitors confirm what they send, the HTML of the mail to them, and the file that goes along. */
  @Get()
  @Requires('forms:write')
  async show(@Asked() input: PageInput): Promise<PageAnswer> {
    return this.page(input, null, []);
  }

  /** Set whether visitors confirm what they send, and the HTML of the mail to them. */
  @Post()
  @Requires('forms:write')
  async set(@Asked() input: PageInput): Promise<PageAnswer> {
    const { principal, identifier, typed: sent } = input;
    const typed = visitorMailTyped(sent) ?? { doubleOptIn: false, html: '' };
    return attempt(
      async () => {
        await this.forms.setExtras(principal, identifier, await visitorMailStored(typed));
        return goTo(`/forms/${identifier}/visitor-mail`, 'saved');
      },
      (problems) => this.page(input, typed, problems),
    );
  }

  /** Set the file that goes along. */
  @Post('attachment')
  @Requires('forms:write')
  @ReadsUpload()
  @UseInterceptors(FileInterceptor('attachment.content', { limits: UPLOAD }))
  async attach(
    @Asked() input: PageInput,
    @UploadedFile() file: { buffer: Buffer; originalname: string } | undefined,
  ): Promise<PageAnswer> {
    const { principal, identifier } = input;
    return attempt(
      async () => {
        const field = 'attachment.content';
        // Browsers send names as UTF-8, which the reader of uploads takes for Latin-1.
        const name = file && Buffer.from(file.originalname, 'latin1').toString('utf8');
        const content = file?.buffer ?? Buffer.alloc(0);
        const attachment = { name, content: content.toString('base64') };
        const body = await checked(SetVisitorAttachmentDto, { attachment });
        await this.attachments.set(principal, identifier, body.attachment.name, content, field);
        return goTo(`/forms/${identifier}/visitor-mail`, 'saved');
      },
      (problems) => this.page(input, null, problems),
    );
  }

  /** Remove that file. */
  @Post('attachment/removal')
  @Requires('forms:write')
  async detach(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    await this.attachments.remove(principal, identifier);
    return goTo(`/forms/${identifier}/visitor-mail`, 'saved');
  }

  private async page(
    { principal, identifier, signedIn }: PageInput,
    typed: VisitorMailTyped | null,
    problems: FieldProblem[],
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    await this.troubles.ofForm(principal, form);
    return formPage(form, VisitorMailPage, {
      typed: typed ?? visitorMailShown(decodeVisitorMail(form.visitorMail)),
      attachment: await this.attachments.find(form.id),
      isProven: signedIn.person.verifiedAt !== null,
      problems,
    });
  }
}
