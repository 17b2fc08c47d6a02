import { Get, Post } from '@nestjs/common';
import { Requires } from '../../access/access.decorators.js';
import { SetFieldLabelsDto } from '../../forms/dto/set-field-labels.dto.js';
import { LABEL_MAX, LABELS_MAX } from '../../forms/model/field-labels.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import { FormsService } from '../../forms/forms.service.js';
import { checked, textsOf } from '../parts/typed.js';
import { fieldsOf, fieldsTyped, labelsTyped } from './labels.js';
import { LabelsPage } from './labels.page.js';
import { fieldsSent, SentFields } from '../rows/sent-fields.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page that names and orders the fields of a form. */
@WebController('forms/:identifier/labels')
export class LabelPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly sent: SentFields,
  ) {}

  /** Show the fields of a form with their labels. */
  @Get()
  @Requires('forms:write')
  async show(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const sent = fieldsSent(await this.sent.newest(principal, identifier));
    const fields = fieldsOf(form.labels, sent).slice(0, LABELS_MAX);
    return formPage(form, LabelsPage, {
      fields,
      problems: [],
      labelMax: LABEL_MAX,
    });
  }

  /** Change the labels of the fields and their order. */
  @Post()
  @Requires('forms:write')
  async change(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const columns = ['name', 'label', 'place'].map((column) => textsOf(typed, column));
    const [names = [], labels = [], places = []] = columns;
    const fields = fieldsTyped(names, labels, places);
    return attempt(
      async () => {
        const input = { labels: labelsTyped(fields, fieldLabel) };
        const given = SetFieldLabelsDto.labels(await checked(SetFieldLabelsDto, input));
        await this.forms.setExtras(principal, identifier, { fieldLabels: given.encode() });
        return goTo(`/forms/${identifier}/labels`, 'saved');
      },
      (problems) =>
        formPage(form, LabelsPage, {
          fields,
          problems,
          labelMax: LABEL_MAX,
        }),
    );
  }
}
