import { Injectable } from '@nestjs/common';
import type { ReadStream } from 'node:fs';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { FileNotFound } from '../files/file.errors.js';
import { FilesService } from '../files/files.service.js';
import type { ImageType } from '../files/image-type.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { submissionTarget } from './model/submission-target.js';
import { SubmissionsService } from './submissions.service.js';

/** Pictures of one submission that are shown; the others are files to save, as all else is. */
const IMAGES_MAX = 12;

/** Shows the pictures that visitors sent. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly files: FilesService,
    private readonly audit: AuditService,
  ) {}

  /** Returns the ids of those of these files that can be shown, as hex digits. */
  async among(files: readonly SubmittedFile[]): Promise<Set<string>> {
    const shown = new Set<string>();
    for (const file of files) {
      if (shown.size === IMAGES_MAX) break;
      if ((await this.files.imageTypeOf(file)) !== null) shown.add(file.id.toString('hex'));
    }
    return shown;
  }

  /**
   * Opens a picture. A client that is not just looking at its submission has downloaded it, which is recorded.
   * @throws FormNotFound, SubmissionNotFound
   * @throws FileNotFound for every other file too
   */
  async open(
    principal: Principal,
    identifier: string,
    id: Buffer | null,
    fileId: Buffer | null,
    isPartOfLook: boolean,
  ): Promise<{ type: ImageType; bytes: ReadStream }> {
    const { form, submission, files } = await this.submissions.get(principal, identifier, id);
    const file = files.find((each) => fileId !== null && each.id.equals(fileId));
    const type = file ? await this.files.imageTypeOf(file) : null;
    if (!file || type === null) throw new FileNotFound();
    const { bytes } = await this.files.open(form.id, submission.id, file.id);
    if (principal.clientId !== null && !isPartOfLook) {
      const target = submissionTarget(form, submission.id);
      await this.audit.recordAloneBy(principal, { action: 'file.downloaded', target });
    }
    return { type, bytes };
  }
}
