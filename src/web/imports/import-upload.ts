import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import type { Principal } from '../../access/principal.js';
import { PROVIDER_NAMES } from '../../imports/formats/index.js';
import { ImportsService } from '../../imports/imports.service.js';
import type { Import } from '../../imports/model/import.entity.js';
import { plainOptions } from '../../imports/model/import-options.js';
import type { Typed } from '../parts/typed.js';

/** Limits of the fields beside the file, which has one of its own. */
const LIMITS = { files: 1, fields: 10, fieldSize: 4_096, parts: 12 };

/** Result of taking a file: the draft of an import, or the error that refused it. */
export type TakenFile = { entry: Import; error: null } | { entry: null; error: unknown };

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

  private async take(
    { user, params, body }: Uploading,
    { stream, originalname }: UploadedPart,
  ): Promise<TakenFile> {
    try {
      const provider = PROVIDER_NAMES.find((name) => name === body?.provider) ?? 'csv';
      // Browsers send names in UTF-8, and the parser reads them as Latin-1.
      const name = Buffer.from(originalname, 'latin1').toString('utf8');
      const content = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      const upload = { content, announced: null, name };
      const options = plainOptions(provider);
      const identifier = String(params.identifier);
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
