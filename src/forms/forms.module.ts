import { RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { Room } from '../platform/room.js';
import { emptyPostIsGet, FormsController } from './forms.controller.js';
import { FormGrantsRepository } from './access/form-grants.repository.js';
import {
  FieldLabelsController,
  IntakeGateController,
  FieldRulesController,
  PreviewController,
  RetentionController,
  VisitorMailController,
} from './form-settings.controller.js';
import { FormsRepository } from './forms.repository.js';
import { FormsService } from './forms.service.js';
import { FormQueries } from './form-queries.service.js';
import { VisitorAttachments } from './visitor-attachments.service.js';
import { FormQueriesRepository } from './form-queries.repository.js';
import { VisitorAttachmentsRepository } from './visitor-attachments.repository.js';

@Room({
  controllers: [
    FormsController,
    FieldLabelsController,
    FieldRulesController,
    IntakeGateController,
    PreviewController,
    RetentionController,
    VisitorMailController,
  ],
  providers: [
    FormGrantsRepository,
    FormQueries,
    FormQueriesRepository,
    FormsRepository,
    FormsService,
    VisitorAttachments,
    VisitorAttachmentsRepository,
  ],
})
export class FormsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(emptyPostIsGet).forRoutes({ path: 'api/v1/forms', method: RequestMethod.POST });
  }
}
