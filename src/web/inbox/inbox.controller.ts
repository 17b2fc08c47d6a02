import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { parseUuid } from '../../platform/kernel/uuid.js';
import { InboxService } from '../../submissions/inbox.service.js';
import { SubmissionsService } from '../../submissions/submissions.service.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { textOf, type Typed } from '../layout/typed.js';
import { WebController } from '../layout/web-controller.js';
import { FOLDERS, folderOf, inboxAddress, type InboxQuery } from './folders.js';
import { InboxPage, type InboxRow } from './inbox.page.js';
import { ROWS, rowsOf } from './rows.js';

/** What was submitted, folder by folder, for people in a browser. */
@WebController('inbox')
export class InboxController {
  constructor(
    private readonly inbox: InboxService,
    private readonly submissions: SubmissionsService,
    private readonly forms: FormsService,
    private readonly frames: Frames,
  ) {}

  /** List the newest submissions, of all forms or of one. */
  @Get()
  @Allows('see')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() sent: Typed,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const query: InboxQuery = {
      folder: folderOf(textOf(sent, 'folder')),
      form: textOf(sent, 'form'),
      query: textOf(sent, 'query'),
    };
    const before = parseUuid(textOf(sent, 'before').toLowerCase());
    const { rows, older } = await this.read(principal, query, before);
    const forms = await this.forms.list(principal, null);
    const page = InboxPage({
      frame: await this.frames.of(request, response),
      rows,
      older: older ? inboxAddress({ ...query, before: rows.at(-1)?.id ?? '' }) : null,
      isOlder: before !== null,
      query,
      forms: forms.map(({ name, identifier }) => ({ name, identifier })),
      mayCreateForms: principal.has('forms:write'),
    });
    sendPage(response, page);
  }

  private async read(
    principal: Principal,
    { folder, form, query }: InboxQuery,
    before: Buffer | null,
  ): Promise<{ rows: InboxRow[]; older: boolean }> {
    const marks = FOLDERS[folder];
    if (form === '') {
      // One more than a page tells whether there is a next one.
      const found = await rowsOf(this.inbox.newest(principal, marks, before, ROWS + 1));
      return { rows: found.slice(0, ROWS), older: found.length > ROWS };
    }
    const filter = { ...marks, from: null, to: null, query: query === '' ? null : query };
    const position = { page: 1, perPage: ROWS, before, after: null };
    const found = await this.submissions.list(principal, form, filter, position);
    return { rows: await rowsOf(found.submissions()), older: found.older };
  }
}
