import { Get, Post } from '@nestjs/common';
import { Allows } from '../../access/access.decorators.js';
import { ReadsLong } from '../../platform/http/bodies/body.guard.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { EditsService } from '../../submissions/edits/edits.service.js';
import {
  SubmissionsService,
  type SubmissionInFull,
} from '../../submissions/submissions.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { changedValues, fieldsToEdit, fieldsTyped } from './edit.js';
import { EditPage } from './edit.page.js';
import { lineOf } from './submission-views.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Serves the page that edits the values of a submission. */
@WebController('inbox/:identifier/:id/edit')
export class EditPagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly edits: EditsService,
  ) {}

  /** Show the values of a submission to be changed. */
  @Get()
  @Allows('edit')
  async show(@Asked() { principal, identifier, query, id }: PageInput): Promise<PageAnswer> {
    const found = await this.submissions.show(principal, identifier, id);
    const fields = fieldsToEdit(found.submission.values);
    return page(EditPage, { fields, problems: [], ...about(found, lineOf(query)) });
  }

  /** Change what somebody typed anew. */
  @Post()
  @ReadsLong()
  @Allows('edit')
  async change(@Asked() { principal, identifier, typed, id }: PageInput): Promise<PageAnswer> {
    const found = await this.submissions.get(principal, identifier, id);
    const fields = fieldsTyped(typed);
    const shown = about(found, lineOf(typed));
    return attempt(
      async () => {
        const values = changedValues(fields, found.submission.values);
        await this.edits.edit(principal, identifier, id, values);
        return goTo(shown.back, 'saved');
      },
      (problems) => page(EditPage, { fields, problems, ...shown }),
    );
  }
}

/** Returns what the page says of the submission. */
function about({ form, submission }: SubmissionInFull, line: string | null) {
  const id = formatUuid(submission.id);
  return {
    ...{ line, labels: form.labels },
    here: `/inbox/${form.identifier}/${id}`,
    back: submissionAddress(form.identifier, id, line),
  };
}
