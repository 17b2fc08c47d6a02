import { Param, Post } from '@nestjs/common';
import { Allows } from '../../access/access.decorators.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { isTicked, textOf } from '../parts/typed.js';
import { personIn } from '../rows/changes.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from './submission-views.js';
import { goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

const NO_ID = Buffer.alloc(16);

/** Takes from the page of a submission to whom it is assigned. */
@WebController('inbox/:identifier/:id')
export class AssignPagesController {
  constructor(private readonly assignees: AssigneesService) {}

  /** Assign it to whoever was chosen, and offer to take that back. */
  @Post('assignee')
  @Allows('triage')
  async assign(
    @Asked() { principal, identifier, typed }: PageInput,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<PageAnswer> {
    const line = lineOf(typed);
    const chosen = personIn(textOf(typed, 'me') || textOf(typed, 'person'));
    const before = await this.assignees.assign(principal, identifier, id, chosen);
    const here = submissionAddress(identifier, formatUuid(id ?? NO_ID), line);
    if (isTicked(typed, 'undone')) {
      return goTo(here, 'changed_back');
    }
    return goTo(here, chosen === null ? 'unassigned' : 'assigned', {
      action: `/inbox/${identifier}/${formatUuid(id ?? NO_ID)}/assignee`,
      fields: [
        ['person', String(before ?? '')],
        ['undone', 'true'],
        ...(line === null ? [] : [['q', line] satisfies [string, string]]),
      ],
    });
  }
}
