import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { SignedLinksModule } from '../platform/signed-links/signed-links.module.js';
import { FileLinksController } from './file-links.controller.js';
import { FileStore } from './file-store.js';
import { FileSweeper } from './file-sweeper.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';
import { SubmittedFile } from './submitted-file.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([SubmittedFile]), SignedLinksModule, RateLimitsModule],
  controllers: [FileLinksController],
  providers: [FileStore, FilesRepository, FilesService, FileSweeper],
  exports: [FileStore, FilesService, FileSweeper],
})
export class FilesModule {}
