import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../accounts/access/index.js';
import { sendDownload, Sends } from '../../platform/http/index.js';
import { VisitorGuard } from '../../platform/index.js';
import { FilesService } from './files.service.js';

@Controller('files')
export class FileLinksController {
  constructor(private readonly files: FilesService) {}

  /** Download a file with a signed link from an email or webhook; needs no token. */
  @Get(':link')
  @Public()
  @Sends('application/octet-stream', { binary: true })
  @UseGuards(VisitorGuard)
  async download(@Param('link') link: string, @Res() response: Response): Promise<void> {
    await sendDownload(response, await this.files.openLink(link));
  }
}
