import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { ReadsLong } from '../../platform/http/bodies/body.guard.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { EditsService } from '../../submissions/edits/edits.service.js';
import {
  SubmissionsService,
  type SubmissionInFull,
} from '../../submissions/submissions.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { problemsOf, type Typed } from '../parts/typed.js';
import { changedValues, fieldsToEdit, fieldsTyped } from './edit.js';
import { EditPage } from './edit.page.js';
import { lineOf } from './submission-views.js';

/** Serves the page that edits the values of a submission. */
@WebController('inbox/:identifier/:id/edit')
export class EditPagesController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly edits: EditsService,
    private readonly frames: Frames,
  ) {}

  /** Show the values of a submission to be changed. */
  @Get()
  @Allows('edit')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Query() query: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.submissions.show(principal, identifier, id);
    const frame = await this.frames.of(request, response);
    const fields = fieldsToEdit(found.submission.values);
    sendPage(response, EditPage({ frame, fields, problems: [], ...about(found, lineOf(query)) }));
  }

  /** Change what somebody typed anew. */
  @Post()
  @ReadsLong()
  @Allows('edit')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.submissions.get(principal, identifier, id);
    const fields = fieldsTyped(typed);
    const shown = about(found, lineOf(typed));
    try {
      const values = changedValues(fields, found.submission.values);
      await this.edits.edit(principal, identifier, id, values);
      redirect(response, shown.back, 'saved');
    } catch (error) {
      const problems = problemsOf(error);
      const frame = await this.frames.of(request, response);
      const page = EditPage({ frame, fields, problems, ...shown });
      sendPage(response, page, UNPROCESSABLE);
    }
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
