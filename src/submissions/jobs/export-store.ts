import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { FileStore } from '../../files/file-store.js';
import { Config } from '../../platform/config/config.js';

/** Stores the files of exports under `DATA_DIR/exports`, apart from those of visitors: no backup has them. */
@Injectable()
export class ExportStore extends FileStore {
  constructor(private readonly settings: Config) {
    super(settings);
  }

  protected override get folder(): string {
    return join(this.settings.dataDir, 'exports');
  }
}
