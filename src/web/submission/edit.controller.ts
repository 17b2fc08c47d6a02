import { Get, Post, Headers, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { Allows, Principal } from '../../accounts/access/index.js';
import { ReadsLong, sendDownload, sendInline, UuidParam } from '../../platform/http/index.js';
import { formatUuid, Config } from '../../platform/index.js';
import { EditsService } from '../../submissions/edits/edits.service.js';
import { SubmissionsService, type SubmissionInFull } from '../../submissions/submissions.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { changedValues, fieldsToEdit, fieldsTyped, EditPage } from './edit.page.js';
import { lineOf } from './submission-views.js';
import { attempt, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';
import { HEAD_BYTES, imageTypeOf } from '../../submissions/files/files.service.js';
import { embeddedBytes, embeddedName } from '../../submissions/model/preview.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { submissionJson } from '../../submissions/dto/submission-json.js';
import { ValueNotFound } from '../../submissions/model/submission.errors.js';
import { textOf, type Typed } from '../parts/index.js';
import { LOOK, Looks } from '../rows/rows.js';

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
  async show(@Asked() { principal, identifier, query, id }: PageInput) {
    const found = await this.submissions.show(principal, identifier, id);
    const fields = fieldsToEdit(found.submission.values);
    return page(EditPage, { fields, problems: [], ...about(found, lineOf(query)) });
  }

  /** Change what somebody typed anew. */
  @Post()
  @ReadsLong()
  @Allows('edit')
  async change(@Asked() { principal, identifier, typed, id }: PageInput) {
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
    ...{ line, labels: form.fields },
    here: `/inbox/${form.identifier}/${id}`,
    back: submissionAddress(form.identifier, id, line),
  };
}

/** Serves the parts of a submission that are no page: its JSON, whole values, files and pictures. */
@WebController('inbox/:identifier/:id')
export class SubmissionPartsController {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly looks: Looks,
    private readonly config: Config,
  ) {}

  /** Show the whole of a value, which its page may show the beginning of alone. */
  @Get('value')
  @Allows('see')
  async value(@Asked() { principal, identifier, id, query }: PageInput, @Res() response: Response): Promise<void> {
    const { submission } = await this.shown(principal, identifier, id, textOf(query, 'look'));
    const { text, embedded } = lineAt(submission, query);
    const bytes = Readable.from([Buffer.from(embedded?.source ?? text)]);
    await sendInline(response, 'text/plain; charset=utf-8', bytes);
  }

  /** Show a picture that was sent as text; every other file that was is one to download. */
  @Get('value/file')
  @Allows('see')
  async embedded(@Asked() { principal, identifier, id, query }: PageInput, @Res() response: Response): Promise<void> {
    const { submission } = await this.shown(principal, identifier, id, textOf(query, 'look'));
    const { name, embedded } = lineAt(submission, query);
    if (!embedded) throw new ValueNotFound();
    const content = embeddedBytes(embedded);
    const bytes = Readable.from([content], { objectMode: false });
    const type = imageTypeOf(content.subarray(0, HEAD_BYTES));
    if (type !== null) return sendInline(response, type, bytes);
    const file = { name: embeddedName(name, embedded), size: content.length };
    await sendDownload(response, { file, bytes });
  }

  /** Show it as the API does. */
  @Get('json')
  @Allows('see')
  async json(
    @Asked() { principal, identifier, id }: PageInput,
    @Headers(LOOK) look: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.shown(principal, identifier, id, look);
    response.set('Cache-Control', 'no-store').type('json').send(submissionJson(found, this.config.baseUrl));
  }

  /** Download a file. */
  @Get('files/:fileId')
  @Allows('see')
  async download(
    @Asked() { principal, identifier, id }: PageInput,
    @UuidParam('fileId') fileId: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.submissions.openFile(principal, identifier, id, fileId);
    await sendDownload(response, file);
  }

  /** Show a picture; every other file is one to download. */
  @Get('files/:fileId/image')
  @Allows('see')
  async image(
    @Asked() { principal, identifier, id, query }: PageInput,
    @UuidParam('fileId') fileId: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const goesOn = id !== null && (await this.looks.goesOn(principal, id, textOf(query, 'look')));
    const image = await this.submissions.open(principal, identifier, id, fileId, goesOn);
    await sendInline(response, image.type, image.bytes);
  }

  /** Returns a submission; a look that goes on is not noted again. */
  private async shown(principal: Principal, identifier: string, id: Buffer | null, look?: string) {
    const goesOn = id !== null && (await this.looks.goesOn(principal, id, look));
    return goesOn ? this.submissions.get(principal, identifier, id) : this.submissions.show(principal, identifier, id);
  }
}

/** Returns the line that a request asks for, the first by 1. @throws ValueNotFound */
function lineAt({ lines }: Submission, query: Typed) {
  const line = lines[Number(textOf(query, 'at')) - 1];
  if (!line) throw new ValueNotFound();
  return line;
}
