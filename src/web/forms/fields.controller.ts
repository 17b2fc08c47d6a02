import { SubmissionPages } from '../../search/pages/submission-pages.service.js';
import { Get, Param, Post } from '@nestjs/common';
import { RoutesRequire } from '../../accounts/access/access.decorators.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { FormsService } from '../../forms/forms.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormFields } from '../../forms/model/form-fields.js';
import { FIELDS_MAX, type Field } from '../../forms/model/field.js';
import { MovesService } from '../../moving/moves/moves.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ReadsLong } from '../../platform/http/bodies/body.guard.js';
import { FormNotFound } from '../../forms/model/form.errors.js';
import { attempt, formPage, goTo } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { textOf } from '../parts/typed.js';
import { FieldPage } from './fields.page.js';
import {
  fieldShown,
  fieldsOf,
  fieldTyped,
  withField,
  withMore,
  type FieldTexts,
} from './fields-typed.js';

/** Serves the sheets of the fields of a form, and what fills them from elsewhere. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class FieldPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly moves: MovesService,
    private readonly submissions: SubmissionPages,
  ) {}

  /** Ask for one more field. */
  @Get('new-field')
  async ask(@Asked() asked: PageInput) {
    return this.page(asked, null, {});
  }

  /** Add a field. */
  @Post('new-field')
  async add(@Asked() asked: PageInput) {
    return this.save(asked, null);
  }

  /** Show a field. */
  @Get('fields/:name')
  async show(@Asked() asked: PageInput, @Param('name') name: string) {
    const { fields } = await this.formOf(asked);
    const at = fields.list.findIndex((field) => field.name === name);
    const field = known(fields, name);
    return this.page(asked, name, fieldShown(field, at + 1));
  }

  /** Change a field. */
  @Post('fields/:name')
  async change(@Asked() asked: PageInput, @Param('name') name: string) {
    return this.save(asked, name);
  }

  /** Forget what is known of a field. */
  @Post('fields/:name/delete')
  async remove(@Asked() asked: PageInput, @Param('name') name: string) {
    known((await this.formOf(asked)).fields, name);
    return this.set(
      asked,
      ({ list, onFailure }) =>
        new FormFields(
          list.filter((field) => field.name !== name),
          onFailure,
        ),
    );
  }

  /** Add the fields of the form on a page. */
  @Post('fields-of-page')
  @ReadsLong()
  async takeHtml(@Asked() asked: PageInput) {
    await this.formOf(asked);
    return attempt(
      async () => {
        const found = await this.moves.fieldsOf(textOf(asked.typed, 'html'));
        return await this.set(asked, (fields) => withMore(fields, found));
      },
      (problems) => this.page(asked, null, {}, problems),
    );
  }

  /** Add the fields that came lately. */
  @Post('fields-of-submissions')
  async takeSent(@Asked() asked: PageInput) {
    const found = fieldsOf(await this.submissions.newest(asked.principal, asked.identifier));
    return this.set(asked, (fields) => withMore(fields, found));
  }

  private async save(asked: PageInput, former: string | null) {
    const { fields } = await this.formOf(asked);
    if (former !== null) known(fields, former);
    const texts = fieldTyped(asked.typed);
    return attempt(
      async () => {
        const changed = await withField(fields, former, texts);
        return await this.set(asked, () => changed);
      },
      (problems) => this.page(asked, former, texts, problems),
    );
  }

  private async set(asked: PageInput, change: (fields: FormFields) => FormFields) {
    const { principal, identifier } = asked;
    await this.forms.change(principal, identifier, (form) => {
      const { list, onFailure } = change(form.fields);
      return form.withFields(new FormFields(list.slice(0, FIELDS_MAX), onFailure));
    });
    return goTo(`/forms/${identifier}/settings#fields`, 'saved');
  }

  private formOf({ principal, identifier }: PageInput): Promise<Form> {
    return this.queries.get(principal, identifier);
  }

  private async page(
    asked: PageInput,
    former: string | null,
    texts: FieldTexts,
    problems: FieldProblem[] = [],
  ) {
    return formPage(await this.formOf(asked), FieldPage, { former, texts, problems });
  }
}

/** Returns the field of this name; one that is not listed is answered like a form that is not there. @throws FormNotFound */
function known(fields: FormFields, name: string): Field {
  const field = fields.of(name);
  if (!field) throw new FormNotFound();
  return field;
}
