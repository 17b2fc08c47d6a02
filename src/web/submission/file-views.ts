import { Injectable } from '@nestjs/common';
import { FilesService } from '../../files/files.service.js';
import type { SubmittedFile } from '../../files/submitted-file.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { ImagesService } from '../../submissions/images.service.js';
import type { FileShown } from './values.js';

/** Collects what the page of a submission shows of its files. */
@Injectable()
export class FileViews {
  constructor(
    private readonly files: FilesService,
    private readonly images: ImagesService,
  ) {}

  /** Returns files with what scans for viruses found; of a locked one no picture is shown. */
  async of(files: readonly SubmittedFile[]): Promise<FileShown[]> {
    const scans = await this.files.scansOf(files);
    const scanOf = ({ id }: SubmittedFile) => scans.get(id.toString('hex'));
    const images = await this.images.among(files.filter((file) => !scanOf(file)?.isLocked));
    return files.map((file) => {
      const { id, field, name, size } = file;
      const { state = null, virus = null, isLocked = false } = scanOf(file) ?? {};
      return {
        ...{ id: formatUuid(id), field, name, bytes: size, virus, isLocked },
        isImage: images.has(id.toString('hex')),
        isUnscanned: state === 'unscanned',
      };
    });
  }
}
