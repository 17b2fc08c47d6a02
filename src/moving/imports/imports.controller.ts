import { Controller, Delete, Get, HttpCode, HttpStatus, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allows, RoutesRequire, InForm } from '../../accounts/access/index.js';
import { ReadsUpload } from '../../platform/http/index.js';
import { ImportPreviewEnvelopeDto, ImportEnvelopeDto, ImportListDto, ImportQueryDto } from './dto/import.dto.js';
import { ImportsService, type Upload } from './imports.service.js';

const FILE = { schema: { type: 'string', format: 'binary' }, description: 'The file.' };

@Controller('api/v1/forms/:identifier/imports')
@RoutesRequire('submissions:read', 'submissions:write')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  /**
   * Import submissions that another service received. The body is the file of its export, as it is; a background job stores
   * the submissions with their original times, and causes no emails and no webhook calls. A second import of the same
   * submissions adds nothing.
   */
  @Post()
  @HttpCode(HttpStatus.ACCEPTED)
  @ReadsUpload()
  @Allows('triage')
  @ApiConsumes('application/octet-stream')
  @ApiBody(FILE)
  @ApiAcceptedResponse({ type: ImportEnvelopeDto, description: 'The import that goes on.' })
  async create(
    @InForm() { principal, identifier }: InForm,
    @Query() query: ImportQueryDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportEnvelopeDto> {
    const options = ImportQueryDto.options(query);
    const entry = await this.imports.create(principal, identifier, options, uploadOf(request));
    const answer = ImportEnvelopeDto.of(entry);
    response.location(`/api/v1/forms/${identifier}/imports/${answer.import.id}`);
    return answer;
  }

  /** Go through a file as an import would, and store nothing: counts, the first 5 submissions, and what is broken. */
  @Post('preview')
  @HttpCode(HttpStatus.OK)
  @ReadsUpload()
  @Allows('triage')
  @ApiConsumes('application/octet-stream')
  @ApiBody(FILE)
  @ApiOkResponse({ type: ImportPreviewEnvelopeDto })
  async preview(
    @InForm() { principal, identifier }: InForm,
    @Query() query: ImportQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const options = ImportQueryDto.options(query);
    const preview = await this.imports.preview(principal, identifier, options, uploadOf(request));
    response.type('json').send(ImportPreviewEnvelopeDto.jsonOf(preview));
  }

  /** List the imports of a form, newest first. */
  @Get()
  async list(@InForm() { principal, identifier }: InForm): Promise<ImportListDto> {
    return ImportListDto.of(await this.imports.list(principal, identifier));
  }

  /** Show the progress of an import, and the rows that could not be stored. */
  @Get(':id')
  async show(@InForm('id') { principal, identifier, id }: InForm): Promise<ImportEnvelopeDto> {
    return ImportEnvelopeDto.of(await this.imports.show(principal, identifier, id));
  }

  /** Undo an import: stop it, and delete permanently what it stored. A background job does so. */
  @Delete(':id')
  @HttpCode(HttpStatus.ACCEPTED)
  @Allows('erase')
  @ApiAcceptedResponse({ type: ImportEnvelopeDto, description: 'The import that is being undone.' })
  async undo(@InForm('id') { principal, identifier, id }: InForm): Promise<ImportEnvelopeDto> {
    return ImportEnvelopeDto.of(await this.imports.undo(principal, identifier, id));
  }
}

/** Returns the body of a request as a file. */
function uploadOf(request: Request): Upload {
  const announced = request.headers['content-length'];
  const content = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return { content, announced: announced === undefined ? null : Number(announced), name: null };
}
