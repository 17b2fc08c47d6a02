import { Module } from '@nestjs/common';
import { CanaryModule } from '../canary/canary.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { BouncesModule } from '../bounces/bounces.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EventsModule } from '../events/events.module.js';
import { AliasesModule } from '../aliases/aliases.module.js';
import { MovesModule } from '../moves/moves.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { WarningsModule } from '../warnings/warnings.module.js';
import { WatchModule } from '../watch/watch.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { PeopleModule } from '../people/people.module.js';
import { AccountController } from './account/account.controller.js';
import { AuditPagesController } from './audit/audit.controller.js';
import { BrandPagesController } from './brand/brand.controller.js';
import { ClientHostPagesController } from './clients/client-host.controller.js';
import { ClientPeoplePagesController } from './clients/client-people.controller.js';
import { ClientBrandPagesController } from './clients/client-brand.controller.js';
import { ClientPagesController } from './clients/clients.controller.js';
import { FormHeads } from './form-head/form-heads.js';
import { ReportsModule } from '../reports/reports.module.js';
import { ReportPagesController } from './reports/reports.controller.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { FleetModule } from '../fleet/fleet.module.js';
import { FleetChangePagesController } from './fleet/changes.controller.js';
import { FormListController } from './fleet/form-list.controller.js';
import { FormPagesController } from './forms/forms.controller.js';
import { SettingsPagesController } from './forms/settings.controller.js';
import { SettingsPages } from './forms/settings-pages.js';
import { MailModule } from '../mail/mail.module.js';
import { PagesModule } from '../visitor-pages/pages.module.js';
import { ThanksPagesController } from './forms/thanks.controller.js';
import { MailPagesController } from './forms/mails.controller.js';
import { SpamPagesController, SpamLearningPagesController } from './spam/spam.controller.js';
import { LabelPagesController } from './forms/labels.controller.js';
import { OpeningPagesController } from './forms/opening.controller.js';
import { VisitorMailPagesController } from './forms/visitor-mail.controller.js';
import { RulePagesController } from './forms/rules.controller.js';
import { AliasPagesController } from './move/aliases.controller.js';
import { MovePagesController } from './move/move.controller.js';
import { RetentionPagesController } from './forms/retention.controller.js';
import { RowPreviewPagesController } from './forms/row-preview.controller.js';
import { SentFields } from './rows/sent-fields.js';
import {
  DestinationPagesController,
  DestinationPreviewController,
  DestinationExclusionPagesController,
} from './destinations/destination.controller.js';
import { DestinationListPagesController } from './destinations/destinations.controller.js';
import { DestinationViews } from './destinations/destination-views.js';
import { Homes } from './destinations/homes.js';
import { RedeliveryPagesController } from './deliveries/redelivery.controller.js';
import { WebhookPagesController } from './webhooks/webhook.controller.js';
import { GoController } from './go-to/go.controller.js';
import { ExportPagesController } from './jobs/exports.controller.js';
import { ImportPagesController, ImportUpload } from './imports/imports.controller.js';
import { ImportsModule } from '../imports/imports.module.js';
import { InboxList } from './inbox/inbox-list.js';
import { InboxController } from './inbox/inbox.controller.js';
import { EditPagesController } from './submission/edit.controller.js';
import { SubmissionPagesController } from './submission/submission.controller.js';
import { SubmissionPartsController } from './submission/submission-parts.controller.js';
import { EmailPagesController } from './account/email.controller.js';
import { PasskeyPagesController } from './account/passkeys.controller.js';
import { TotpController } from './account/totp.controller.js';
import { ConfirmController } from './sign-in/confirm.controller.js';
import { AssetsController } from './assets/assets.controller.js';
import { Frames, SignInBrands } from './layout/frames.js';
import { FileViews, SubmissionViews } from './submission/submission-views.js';
import { TriagePagesController } from './submission/triage.controller.js';
import { SavedViewPagesController } from './saved-views/views.controller.js';
import { SavedViewsModule } from '../saved-views/saved-views.module.js';
import { Looks } from './rows/looks.js';
import { InboxRows } from './rows/rows.js';
import { BulkPagesController } from './inbox/bulk.controller.js';
import { JobPagesController } from './jobs/jobs.controller.js';
import { Troubles } from './layout/troubles.js';
import { InvitationController } from './sign-in/invitation.controller.js';
import { OidcController } from './sign-in/oidc.controller.js';
import { LinkController } from './sign-in/link.controller.js';
import { SetupController } from './sign-in/setup.controller.js';
import { SignInPages, SignInController } from './sign-in/sign-in.controller.js';
import { InvitationPagesController, PeoplePagesController } from './people/people.controller.js';
import { ViewPagesController } from './people/views.controller.js';
import { StatisticsPagesController } from './statistics/statistics.controller.js';
import { WatchPagesController } from './watch/watch.controller.js';
import { SpamListsModule } from '../spam/lists/spam-lists.module.js';
import { SpamLearningModule } from '../spam/learning/spam-learning.module.js';
import { StatusController } from './status/status.controller.js';
import { EventPagesController } from './events/events.controller.js';
import { VisitorPagesController } from './visitors/visitors.controller.js';
import { TokenPagesController } from './tokens/tokens.controller.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { SearchModule } from '../search/search.module.js';
import { TriageModule } from '../triage/triage.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { ExportsModule } from '../exports/exports.module.js';

const PAGES = [
  SignInController,
  LinkController,
  OidcController,
  SetupController,
  InvitationController,
  AccountController,
  InboxController,
  EventPagesController,
  GoController,
  ExportPagesController,
  ImportPagesController,
  FormListController,
  FleetChangePagesController,
  ReportPagesController,
  FormPagesController,
  SettingsPagesController,
  LabelPagesController,
  OpeningPagesController,
  VisitorMailPagesController,
  RulePagesController,
  AliasPagesController,
  MovePagesController,
  RetentionPagesController,
  RowPreviewPagesController,
  SpamPagesController,
  WebhookPagesController,
  DestinationExclusionPagesController,
  DestinationListPagesController,
  DestinationPagesController,
  DestinationPreviewController,
  RedeliveryPagesController,
  MailPagesController,
  ThanksPagesController,
  StatisticsPagesController,
  WatchPagesController,
  EditPagesController,
  SubmissionPagesController,
  SubmissionPartsController,
  TriagePagesController,
  SavedViewPagesController,
  BulkPagesController,
  JobPagesController,
  VisitorPagesController,
  ClientBrandPagesController,
  ClientPagesController,
  ClientHostPagesController,
  ClientPeoplePagesController,
  PeoplePagesController,
  InvitationPagesController,
  ViewPagesController,
  AuditPagesController,
  BrandPagesController,
  SpamLearningPagesController,
  TokenPagesController,
  StatusController,
  TotpController,
  PasskeyPagesController,
  EmailPagesController,
  ConfirmController,
];

/** Wires the pages for people who sign in. */
@Module({
  imports: [
    AccountsModule,
    BrandsModule,
    AuthModule,
    BouncesModule,
    PeopleModule,
    ClientsModule,
    DeliveriesModule,
    OperationsModule,
    EventsModule,
    AliasesModule,
    MovesModule,
    FilesModule,
    FormsModule,
    MailModule,
    PagesModule,
    SavedViewsModule,
    SpamModule,
    SpamLearningModule,
    SpamListsModule,
    ExportsModule,
    ImportsModule,
    JobsModule,
    SearchModule,
    StatisticsModule,
    SubmissionsModule,
    TriageModule,
    TokensModule,
    WarningsModule,
    HostsModule,
    FleetModule,
    ReportsModule,
    WebhooksModule,
    CanaryModule,
    WatchModule,
    DestinationsModule,
  ],
  controllers: [AssetsController, ...PAGES],
  providers: [
    InboxList,
    FormHeads,
    Frames,
    ImportUpload,
    InboxRows,
    Looks,
    SentFields,
    DestinationViews,
    Homes,
    SignInBrands,
    SettingsPages,
    FileViews,
    SubmissionViews,
    Troubles,
    SignInPages,
  ],
})
export class WebModule {}
