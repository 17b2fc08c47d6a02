import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { emptyPostIsGet, FormsController } from './forms.controller.js';
import { FormGrant } from './access/form-grant.entity.js';
import { FormGrantsRepository } from './access/form-grants.repository.js';
import {
  FieldLabelsController,
  IntakeGateController,
  FieldRulesController,
  PreviewController,
  RetentionController,
  VisitorMailController,
} from './form-settings.controller.js';
import { Form } from './model/form.entity.js';
import { FormsRepository } from './forms.repository.js';
import { FormDefaults, NewForms } from './new-forms.service.js';
import { FormAccess } from './form-access.service.js';
import { FormListsRepository } from './form-lists.repository.js';
import { FormLists, FormPreviews } from './form-lists.service.js';
import { FormReads } from './form-reads.js';
import { FormTotalsRepository } from './form-totals.repository.js';
import { FormTotals } from './form-totals.service.js';
import { WebhookAddresses } from './webhook-addresses.js';
import { FormsService } from './forms.service.js';
import { VisitorAttachment } from './model/visitor-attachment.entity.js';
import { VisitorAttachments } from './visitor-attachments.service.js';
import { VisitorAttachmentsRepository } from './visitor-attachments.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([Form, FormGrant, VisitorAttachment])],
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
    FormsRepository,
    FormGrantsRepository,
    FormReads,
    FormListsRepository,
    FormLists,
    FormsService,
    WebhookAddresses,
    FormAccess,
    FormDefaults,
    NewForms,
    FormTotalsRepository,
    FormTotals,
    FormPreviews,
    VisitorAttachments,
    VisitorAttachmentsRepository,
  ],
  exports: [
    FormsService,
    FormLists,
    FormAccess,
    FormDefaults,
    FormTotals,
    FormPreviews,
    NewForms,
    VisitorAttachments,
    WebhookAddresses,
  ],
})
export class FormsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(emptyPostIsGet).forRoutes({ path: 'api/v1/forms', method: RequestMethod.POST });
  }
}
