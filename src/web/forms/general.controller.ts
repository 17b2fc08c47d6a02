import { Post } from '@nestjs/common';
import { Allows, Requires } from '../../access/access.decorators.js';
import { FormsService } from '../../forms/forms.service.js';
import { textOf } from '../parts/typed.js';
import { formWords } from './words.js';
import { valuesOf } from './settings.js';
import { SettingsPages } from './settings-pages.js';
import { goTo, refused, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the buttons on the general page of a form: they duplicate and delete it. */
@WebController('forms/:identifier')
export class GeneralPagesController {
  constructor(
    private readonly forms: FormsService,
    private readonly pages: SettingsPages,
  ) {}

  /** Make a form with the same settings. */
  @Post('duplicates')
  @Requires('forms:create')
  async duplicate(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const { name } = await this.forms.get(principal, identifier);
    const copy = await this.forms.duplicate(principal, identifier, formWords.copyOf(name));
    return goTo(`/forms/${copy.identifier}`, 'form_duplicated');
  }

  /** Delete a form, once its name has been typed. */
  @Post('delete')
  @Requires('forms:write')
  @Allows('erase')
  async delete(
    @Asked() { principal, signedIn, identifier, typed: sent }: PageInput,
  ): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    if (textOf(sent, 'typed_name').trim() === form.name) {
      await this.forms.delete(principal, identifier);
      return goTo('/forms', 'form_deleted');
    }
    const problem = { field: 'typed_name', code: 'wrong_name', message: formWords.wrongName };
    const wrong = { typed: valuesOf(form), problems: [problem] };
    return refused(await this.pages.page({ principal, signedIn, form }, 'general', wrong));
  }
}
