import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { TransactionalRepository, selectEntities } from '../../platform/database/index.js';
import { SubmittedFile } from './submitted-file.entity.js';

/** Reads and writes the rows of files; `FileStore` has their bytes. */
@Injectable()
export class FilesRepository extends TransactionalRepository {
  private readonly files = this.rowsOf(SubmittedFile);

  find(formId: number, submissionId: Buffer, id: Buffer): Promise<SubmittedFile | null> {
    return this.files.findOneBy({ formId, submissionId, id });
  }

  /** Returns the file of any submission; null for none. */
  findById(id: Buffer): Promise<SubmittedFile | null> {
    return this.files.findOneBy({ id });
  }

  /** Tells whether any submission has the file. */
  isKnown(id: Buffer) {
    return this.files.existsBy({ id });
  }

  /** Returns which of these files no submission has. */
  async unknownAmong(ids: readonly Buffer[]): Promise<Buffer[]> {
    const rows = await this.files.find({ select: { id: true }, where: { id: In([...ids]) } });
    const known = new Set(rows.map(({ id }) => id.toString('hex')));
    return ids.filter((id) => !known.has(id.toString('hex')));
  }

  /** Returns the files of these submissions, each submission's in the order they were sent. */
  async listFor(submissionIds: Buffer[]): Promise<SubmittedFile[]> {
    const files = await selectEntities(this.source, SubmittedFile, { submissionId: submissionIds });
    return files.sort((a, b) => a.submissionId.compare(b.submissionId) || a.position - b.position);
  }

  async removeFor(submissionIds: Buffer[]) {
    if (submissionIds.length > 0) await this.files.delete({ submissionId: In(submissionIds) });
  }
}
