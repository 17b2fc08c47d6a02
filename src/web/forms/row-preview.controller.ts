import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { SetPreviewDto } from '../../forms/dto/preview.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { decodeLearnt, decodePreview, encodePreview } from '../../forms/model/preview-fields.js';
import { checked, isTicked, textsOf } from '../parts/typed.js';
import { fieldsChosen, fieldsOffered, samplesOf } from './row-preview.js';
import { RowPreviewPage } from './row-preview.page.js';
import { SentFields } from '../rows/sent-fields.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page that chooses what rows of the inbox show. */
@WebController('forms/:identifier/preview')
export class RowPreviewPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly sent: SentFields,
  ) {}

  /** Show the fields of a form, which of them rows show, and what that makes of the newest submissions. */
  @Get()
  @Requires('forms:write')
  async show(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const newest = await this.sent.newest(principal, identifier);
    const fields = fieldsOffered(decodePreview(form.previewFields), newest);
    const samples = samplesOf(form.previewFields, newest);
    const learnt = decodeLearnt(form.previewFields)?.fields ?? [];
    return formPage(form, RowPreviewPage, { fields, samples, learnt, problems: [] });
  }

  /** Set which fields rows show, or have them chosen. */
  @Post()
  @Requires('forms:write')
  async choose(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const chosen = isTicked(typed, 'chosen_for_me')
      ? null
      : fieldsChosen(textsOf(typed, 'name'), textsOf(typed, 'place'));
    return attempt(
      async () => {
        const { fields } = await checked(SetPreviewDto, { fields: chosen });
        await this.forms.setExtras(principal, identifier, { previewFields: encodePreview(fields) });
        return goTo(`/forms/${identifier}/preview`, 'saved');
      },
      async (problems) => {
        const newest = await this.sent.newest(principal, identifier);
        const fields = fieldsOffered(chosen, newest);
        const samples = samplesOf(form.previewFields, newest);
        return formPage(form, RowPreviewPage, { fields, samples, learnt: [], problems });
      },
    );
  }
}
