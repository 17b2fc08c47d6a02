import { Body, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import { redirect } from '../layout/flash.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { personIn } from '../rows/changes.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from './submission-views.js';

const NO_ID = Buffer.alloc(16);

/** Takes from the page of a submission to whom it is assigned. */
@WebController('inbox/:identifier/:id')
export class AssignPagesController {
  constructor(private readonly assignees: AssigneesService) {}

  /** Assign it to whoever was chosen, and offer to take that back. */
  @Post('assignee')
  @Allows('triage')
  async assign(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const line = lineOf(typed);
    const chosen = personIn(textOf(typed, 'me') || textOf(typed, 'person'));
    const before = await this.assignees.assign(principal, identifier, id, chosen);
    const here = submissionAddress(identifier, formatUuid(id ?? NO_ID), line);
    if (isTicked(typed, 'undone')) {
      redirect(response, here, 'changed_back');
      return;
    }
    redirect(response, here, chosen === null ? 'unassigned' : 'assigned', {
      action: `/inbox/${identifier}/${formatUuid(id ?? NO_ID)}/assignee`,
      fields: [
        ['person', String(before ?? '')],
        ['undone', 'true'],
        ...(line === null ? [] : [['q', line] satisfies [string, string]]),
      ],
    });
  }
}
