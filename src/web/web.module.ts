export { AccountController, EmailPagesController, TotpController } from './account/account.controller.js';
export { ActivityPagesController } from './activity/activity.controller.js';
export { AccountSettingsController } from './settings/account-settings.controller.js';
export { OldAddressesController } from './settings/account-settings.controller.js';
export { AuditPagesController } from './audit/audit.controller.js';
export { BrandPagesController } from './brand/brand.controller.js';
export { ClientBrandPagesController } from './clients/client-people.controller.js';
export { ClientPeoplePagesController } from './clients/client-people.controller.js';
export { ClientPagesController } from './clients/clients.controller.js';
export { FormHeads } from './form-head/form-head.js';
export { ReportPagesController } from './reports/reports.controller.js';
export { FleetChangePagesController, FormListController } from './fleet/form-list.controller.js';
export { FormPagesController, FormLooksPagesController } from './forms/forms.controller.js';
export { TranslationPagesController } from './forms/translations.controller.js';
export { FieldPagesController } from './forms/forms.controller.js';
export { SettingsPagesController } from './forms/forms.controller.js';
export { SpamPagesController, SpamLearningPagesController } from './spam/spam.controller.js';
export { AliasPagesController, MovePagesController } from './move/move.controller.js';
export { Looks, InboxRows } from './rows/rows.js';
export {
  DestinationPagesController,
  DestinationPreviewController,
  FormDestinationPagesController,
  DestinationListPagesController,
} from './destinations/destinations.controller.js';
export { DestinationViews, StoredViews } from './destinations/destination-views.js';
export { GoController } from './go-to/go.controller.js';
export { ExportPagesController, JobPagesController } from './jobs/jobs.controller.js';
export { ImportPagesController, ImportUpload } from './imports/imports.controller.js';
export { InboxList } from './inbox/inbox-list.js';
export { InboxController, InboxPages, BulkPagesController } from './inbox/inbox.controller.js';
export { EditPagesController, SubmissionPartsController } from './submission/edit.controller.js';
export { SubmissionPagesController, TriagePagesController } from './submission/submission.controller.js';
export {
  ConfirmController,
  OidcController,
  LinkController,
  SignInPages,
  SignInController,
} from './sign-in/sign-in.controller.js';
export { AssetsController } from './assets/assets.controller.js';
export { Frames } from './layout/frames.js';
export { UnknownAddressFilter } from './layout/web.filter.js';
export {
  FileViews,
  Neighbours,
  SpamViews,
  SubmissionViews,
  TeamViews,
  TimelineViews,
} from './submission/submission-views.js';
export { SavedViewPagesController } from './saved-views/views.controller.js';
export { SetupController } from './sign-in/setup.controller.js';
export { InvitationPagesController, PeoplePagesController } from './people/people.controller.js';
export { ViewPagesController } from './people/people.controller.js';
export { StatusController } from './status/status.controller.js';
export { EventPagesController } from './events/events.controller.js';
export { VisitorPagesController } from './visitors/visitors.controller.js';
export { TokenPagesController } from './tokens/tokens.controller.js';
export { EventsController } from './events/events.controller.js';
export { EventStreams } from './events/event-streams.js';
