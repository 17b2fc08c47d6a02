import { Get, Post } from '@nestjs/common';
import { Allows, Requires } from '../../access/access.decorators.js';
import { SetRetentionDto } from '../../forms/dto/set-retention.dto.js';
import { FormsService } from '../../forms/forms.service.js';
import { checked, textOf } from '../parts/typed.js';
import { RetentionPage } from './retention.page.js';
import { attempt, formPage, goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page that says how long a form keeps its submissions. */
@WebController('forms/:identifier/retention')
export class RetentionPagesController {
  constructor(private readonly forms: FormsService) {}

  /** Show the retention of a form. */
  @Get()
  @Requires('forms:write')
  @Allows('erase')
  async show(@Asked() { principal, identifier }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const days = String(form.retentionDays ?? '');
    const kept = form.retentionDays;
    return formPage(form, RetentionPage, {
      kept,
      days,
      problems: [],
    });
  }

  /** Set the retention of a form; nothing keeps them. */
  @Post()
  @Requires('forms:write')
  @Allows('erase')
  async set(@Asked() { principal, identifier, typed }: PageInput): Promise<PageAnswer> {
    const form = await this.forms.get(principal, identifier);
    const days = textOf(typed, 'days').trim();
    return attempt(
      async () => {
        const retention = { days: days === '' ? null : Number(days) };
        const { days: retentionDays } = await checked(SetRetentionDto, retention);
        await this.forms.setExtras(principal, identifier, { retentionDays });
        return goTo(`/forms/${identifier}/retention`, 'saved');
      },
      (problems) =>
        formPage(form, RetentionPage, {
          kept: form.retentionDays,
          days,
          problems,
        }),
    );
  }
}
