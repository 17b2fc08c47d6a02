import { Body, Get, Param, Post, Req, Res, UploadedFile, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows, CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { FormsService } from '../../forms/forms.service.js';
import { ImportQueryDto } from '../../imports/dto/import-query.dto.js';
import { ImportsService } from '../../imports/imports.service.js';
import type { Import } from '../../imports/model/import.entity.js';
import { ReadsUpload } from '../../platform/http/bodies/body.guard.js';
import { Uuid } from '../../platform/http/uuid.pipe.js';
import { DomainError, type FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { FormHeads } from '../form-head/form-heads.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, textOf, type Typed } from '../parts/typed.js';
import { WebController } from '../layout/web-controller.js';
import { importWords } from './words.js';
import { ImportDraftPage } from './draft.page.js';
import { ImportPage } from './import.page.js';
import { ImportUpload, type TakenFile } from './import-upload.js';
import { ImportsPage } from './imports.page.js';
import { choiceOf } from './mapping.js';

/** Serves the pages that import submissions of other services into a form. */
@WebController('forms/:identifier/import')
export class ImportPagesController {
  constructor(
    private readonly imports: ImportsService,
    private readonly forms: FormsService,
    private readonly heads: FormHeads,
    private readonly frames: Frames,
  ) {}

  /** Choose a file; earlier imports are listed. */
  @Get()
  @Requires('forms:write')
  @Allows('triage')
  async choose(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.sendChoice(principal, identifier, 'formspree', [], request, response);
  }

  /** Take a file, to be looked at. */
  @Post()
  @Requires('forms:write')
  @Allows('triage')
  @ReadsUpload()
  @UseInterceptors(ImportUpload)
  async take(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() typed: Typed | undefined,
    @UploadedFile() file: TakenFile | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (file?.entry) {
      redirect(response, addressOf(identifier, file.entry));
      return;
    }
    const problems = problemsOfFile(file);
    const provider = textOf(typed, 'provider');
    await this.sendChoice(principal, identifier, provider, problems, request, response);
  }

  /** Look at a file, follow its import, or see what it did. */
  @Get(':importId')
  @Requires('forms:write')
  @Allows('triage')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('importId', Uuid) id: Buffer | null,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.get(principal, identifier);
    const entry = await this.imports.show(principal, identifier, id);
    const head = await this.heads.of(principal, form);
    const frame = await this.frames.of(request, response);
    if (entry.state !== 'draft') {
      sendPage(response, ImportPage({ frame, form: head, entry }));
      return;
    }
    const preview = await this.imports.previewDraft(principal, identifier, entry);
    const { retentionDays } = form;
    sendPage(response, ImportDraftPage({ frame, form: head, entry, preview, retentionDays }));
  }

  /** Say how the file is read. */
  @Post(':importId/reading')
  @Requires('forms:write')
  @Allows('triage')
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('importId', Uuid) id: Buffer | null,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const entry = await this.imports.show(principal, identifier, id);
    const query = await checked(ImportQueryDto, choiceOf(entry.options, typed));
    const options = ImportQueryDto.options(query);
    await this.imports.choose(principal, identifier, id, options);
    redirect(response, addressOf(identifier, entry));
  }

  /** Begin the import. */
  @Post(':importId/start')
  @Requires('forms:write')
  @Allows('triage')
  async start(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('importId', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    await this.imports.start(principal, identifier, id);
    const entry = await this.imports.show(principal, identifier, id);
    redirect(response, addressOf(identifier, entry));
  }

  /** Undo the import, or let go of a file that nobody began to import. */
  @Post(':importId/undo')
  @Requires('forms:write')
  @Allows('erase')
  async undo(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('importId', Uuid) id: Buffer | null,
    @Res() response: Response,
  ): Promise<void> {
    const entry = await this.imports.undo(principal, identifier, id);
    const isGone = entry.state === 'undone' && entry.position === 0;
    redirect(response, isGone ? `/forms/${identifier}/import` : addressOf(identifier, entry));
  }

  private async sendChoice(
    principal: Principal,
    identifier: string,
    provider: string,
    problems: FieldProblem[],
    request: Request,
    response: Response,
  ): Promise<void> {
    const form = await this.heads.of(principal, await this.forms.get(principal, identifier));
    const imports = await this.imports.list(principal, identifier);
    const frame = await this.frames.of(request, response);
    const page = ImportsPage({ frame, form, imports, provider, problems });
    sendPage(response, page, problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}

function addressOf(identifier: string, { id }: Import): string {
  return `/forms/${identifier}/import/${formatUuid(id)}`;
}

/** Returns why a file was not taken. @throws the error itself when it is not about the file */
function problemsOfFile(file: TakenFile | undefined): FieldProblem[] {
  if (!file) return [{ field: 'file', code: 'required', message: importWords.noFile }];
  const { error } = file;
  if (!(error instanceof DomainError) || !/^import_|^too_many_imports/.test(error.code))
    throw error;
  return [{ field: 'file', code: error.code, message: error.message }];
}
