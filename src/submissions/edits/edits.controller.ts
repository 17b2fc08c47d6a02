import { Body, Controller, Patch, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Allows, Requires, InForm } from '../../accounts/access/index.js';
import { Config } from '../../platform/index.js';
import { submissionJson } from '../dto/submission-json.js';
import { SubmissionDto } from '../dto/submission.dto.js';
import { EditValuesDto } from './edit-values.dto.js';
import { EditsService } from './edits.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/values')
export class EditsController {
  constructor(
    private readonly edits: EditsService,
    private readonly config: Config,
  ) {}

  /**
   * Change values of a submission. Its activity keeps who changed what, and the values before; searches and
   * statistics follow. Nobody is notified, and what was sent already stays as it was sent.
   */
  @Patch()
  @Requires('submissions:write')
  @Allows('edit')
  @ApiOkResponse({ type: SubmissionDto })
  async edit(
    @InForm('id') { principal, identifier, id }: InForm,
    @Body() body: EditValuesDto,
    @Res() response: Response,
  ): Promise<void> {
    const edited = await this.edits.edit(principal, identifier, id, EditValuesDto.changes(body));
    response.type('json').send(submissionJson(edited, this.config.baseUrl));
  }
}
