import {
  Get,
  Post,
  UploadedFile,
  UseInterceptors,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Allows, RoutesRequire, Principal } from '../../accounts/access/index.js';
import { ImportQueryDto } from '../../moving/imports/dto/import.dto.js';
import { ImportsService } from '../../moving/imports/imports.service.js';
import type { Import } from '../../moving/imports/model/import.entity.js';
import { ReadsUpload } from '../../platform/http/index.js';
import { DomainError, type FieldProblem, formatUuid } from '../../platform/index.js';
import { checked, textOf, type Typed, isTicked, textsOf } from '../parts/index.js';
import { ImportsPage } from './imports.page.js';
import { ImportDraftPage, ImportPage } from './import.page.js';
import { formPage, goTo, Asked, type PageInput, WebController } from '../kit/index.js';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { PROVIDER_NAMES } from '../../moving/imports/formats/index.js';
import { plainOptions, type ImportOptions } from '../../moving/imports/model/import-options.js';

/** Limits of the fields beside the file, which has one of its own. */
const LIMITS = { files: 1, fields: 10, fieldSize: 4_096, parts: 12 };

/** Result of taking a file: the draft of an import, or the error that refused it. */
type TakenFile = { entry: Import; error: null } | { entry: null; error: unknown };

type Uploading = Omit<Request, 'body'> & { user: Principal; body: Typed | undefined };
type Done = (error: null, taken: TakenFile) => void;

/** Reads a form with a file, which goes to the disk as it comes; its other fields stand before it. */
@Injectable()
export class ImportUpload implements NestInterceptor {
  private readonly inner: NestInterceptor;

  constructor(private readonly imports: ImportsService) {
    const storage = {
      _handleFile: (request: Uploading, file: UploadedPart, done: Done) => {
        void this.take(request, file).then((taken) => {
          file.stream.resume(); // drops what a refused file has left
          done(null, taken);
        });
      },
      _removeFile: (_: Request, __: unknown, done: (error: null) => void) => {
        done(null);
      },
    };
    this.inner = new (FileInterceptor('file', { storage, limits: LIMITS }))();
  }

  intercept(context: ExecutionContext, next: CallHandler) {
    return this.inner.intercept(context, next);
  }

  private async take({ user, params, body }: Uploading, { stream, originalname }: UploadedPart): Promise<TakenFile> {
    try {
      const provider = PROVIDER_NAMES.find((name) => name === body?.provider) ?? 'csv';
      const upload = {
        content: stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
        announced: null,
        // Browsers send names in UTF-8, and the parser reads them as Latin-1.
        name: Buffer.from(originalname, 'latin1').toString('utf8'),
      };
      const [identifier, options] = [String(params.identifier), plainOptions(provider)];
      const entry = await this.imports.create(user, identifier, options, upload, 'draft');
      return { entry, error: null };
    } catch (error) {
      return { entry: null, error };
    }
  }
}

interface UploadedPart {
  stream: Readable;
  originalname: string;
}

/** Serves the pages that import submissions of other services into a form. */
@WebController('forms/:identifier/import')
@RoutesRequire('forms:write')
export class ImportPagesController {
  constructor(
    private readonly imports: ImportsService,
    private readonly forms: FormQueries,
  ) {}

  /** Choose a file; earlier imports are listed. */
  @Get()
  @Allows('triage')
  async choose(@Asked() { principal, identifier }: PageInput) {
    return this.choicePage(principal, identifier, 'formspree', []);
  }

  /** Take a file, to be looked at. */
  @Post()
  @Allows('triage')
  @ReadsUpload()
  @UseInterceptors(ImportUpload)
  async take(@Asked() { principal, identifier, typed }: PageInput, @UploadedFile() file: TakenFile | undefined) {
    if (file?.entry) return goTo(addressOf(identifier, file.entry));
    return this.choicePage(principal, identifier, textOf(typed, 'provider'), problemsOfFile(file));
  }

  /** Look at a file, follow its import, or see what it did. */
  @Get(':id')
  @Allows('triage')
  async show(@Asked() { principal, identifier, id }: PageInput) {
    const form = await this.forms.get(principal, identifier);
    const entry = await this.imports.show(principal, identifier, id);
    if (entry.state !== 'draft') return formPage(form, ImportPage, { entry });
    const preview = await this.imports.previewDraft(principal, identifier, entry);
    const { retentionDays } = form;
    return formPage(form, ImportDraftPage, { entry, preview, retentionDays });
  }

  /** Say how the file is read. */
  @Post(':id/reading')
  @Allows('triage')
  async read(@Asked() { principal, identifier, typed, id }: PageInput) {
    const entry = await this.imports.show(principal, identifier, id);
    const query = await checked(ImportQueryDto, choiceOf(entry.options, typed));
    const options = ImportQueryDto.options(query);
    await this.imports.choose(principal, identifier, id, options);
    return goTo(addressOf(identifier, entry));
  }

  /** Begin the import. */
  @Post(':id/start')
  @Allows('triage')
  async start(@Asked() { principal, identifier, id }: PageInput) {
    return goTo(addressOf(identifier, await this.imports.start(principal, identifier, id)));
  }

  /** Undo the import, or let go of a file that nobody began to import. */
  @Post(':id/undo')
  @Allows('erase')
  async undo(@Asked() { principal, identifier, id }: PageInput) {
    const entry = await this.imports.undo(principal, identifier, id);
    const isGone = entry.state === 'undone' && entry.position === 0;
    return goTo(isGone ? `/forms/${identifier}/import` : addressOf(identifier, entry));
  }

  private async choicePage(principal: Principal, identifier: string, provider: string, problems: FieldProblem[]) {
    const form = await this.forms.get(principal, identifier);
    const imports = await this.imports.list(principal, identifier);
    return formPage(form, ImportsPage, { imports, provider, problems });
  }
}

function addressOf(identifier: string, { id }: Import) {
  return `/forms/${identifier}/import/${formatUuid(id)}`;
}

/** Returns why a file was not taken. @throws the error itself when it is not about the file */
function problemsOfFile(file: TakenFile | undefined): FieldProblem[] {
  if (!file) return [{ field: 'file', code: 'required', message: 'choose a file' }];
  const { error } = file;
  if (!(error instanceof DomainError) || !/^import_|^too_many_imports/.test(error.code)) throw error;
  return [{ field: 'file', code: error.code, message: error.message }];
}

/** Reads what the form says of how a file is read, as the query of the API. */
function choiceOf(
  { provider, encoding: former }: Pick<ImportOptions, 'provider' | 'encoding'>,
  typed: Typed | undefined,
): Record<string, string | undefined> {
  const encoding = textOf(typed, 'encoding');
  return {
    provider,
    // In another encoding columns have other names.
    ...(encoding === (former ?? '') && columnsOf(typed)),
    encoding: encoding || undefined,
    dates: textOf(typed, 'dates') || undefined,
    undated: textOf(typed, 'undated') || undefined,
    unprefix: String(isTicked(typed, 'unprefix')),
    files: isTicked(typed, 'files') ? 'fetch' : 'address',
  };
}

function columnsOf(typed: Typed | undefined) {
  const columns = textsOf(typed, 'column');
  const uses = textsOf(typed, 'use');
  const names = textsOf(typed, 'name');
  const time = columns.find((_, at) => uses[at] === 'time');
  const chosen = columns.flatMap((column, at): [string, string | null][] => {
    if (uses[at] === 'none') return [[column, null]];
    return uses[at] === 'field' ? [[column, (names[at] ?? '').trim() || column]] : [];
  });
  const pairs = chosen.map((pair) => pair.map((each) => JSON.stringify(each)).join(':'));
  return { time, columns: `{${pairs.join(',')}}` };
}
