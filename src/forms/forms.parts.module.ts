export { FormsController } from './forms.controller.js';
export { FormGrantsRepository } from './access/form-grants.repository.js';
export {
  FieldsController,
  IntakeSettingsController,
  LanguageSettingsController,
  PageSettingsController,
  RetentionSettingsController,
  StatusesSettingsController,
  TranslationsSettingsController,
  VisitorMailController,
} from './form-settings.controller.js';
export { FormsRepository } from './forms.repository.js';
export { FormsService } from './forms.service.js';
export { FormQueries } from './form-queries.service.js';
export { VisitorAttachments } from './visitor-attachments.service.js';
export { FormQueriesRepository } from './forms.repository.js';
export { VisitorAttachmentsRepository } from './forms.repository.js';
export { AccountAliasesController, AliasesController, DialectController } from './aliases/aliases.controller.js';
export { AliasesService } from './aliases/aliases.service.js';
export { FormAliasesRepository } from './aliases/form-aliases.repository.js';
export { Projections } from './projections.js';
