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
import { AccountController, TotpController } from './account/account.controller.js';
import { AuditPagesController } from './audit/audit.controller.js';
import { BrandPagesController } from './brand/brand.controller.js';
import { ClientBrandPagesController } from './clients/client-brand.controller.js';
import {
  ClientPeoplePagesController,
  ClientPagesController,
} from './clients/clients.controller.js';
import { FormHeads } from './form-head/form-head.js';
import { ReportsModule } from '../reports/reports.module.js';
import { ReportPagesController } from './reports/reports.controller.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { FleetModule } from '../fleet/fleet.module.js';
import { FleetChangePagesController, FormListController } from './fleet/form-list.controller.js';
import { FormPagesController, FormLooksPagesController } from './forms/forms.controller.js';
import { SettingsPagesController } from './forms/settings.controller.js';
import { SettingsPages } from './forms/settings-pages.js';
import { MailModule } from '../mail/mail.module.js';
import { PagesModule } from '../visitor-pages/pages.module.js';
import { SpamPagesController, SpamLearningPagesController } from './spam/spam.controller.js';
import { AliasPagesController, MovePagesController } from './move/move.controller.js';
import { SentFields, Looks, InboxRows } from './rows/rows.js';
import {
  DestinationPagesController,
  DestinationPreviewController,
  DestinationExclusionPagesController,
  DestinationListPagesController,
} from './destinations/destinations.controller.js';
import { DestinationViews } from './destinations/destination-views.js';
import { RedeliveryPagesController } from './deliveries/redelivery.controller.js';
import { WebhookPagesController } from './webhooks/webhook.controller.js';
import { GoController } from './go-to/go.controller.js';
import { ExportPagesController, JobPagesController } from './jobs/jobs.controller.js';
import { ImportPagesController, ImportUpload } from './imports/imports.controller.js';
import { ImportsModule } from '../imports/imports.module.js';
import { InboxList } from './inbox/inbox-list.js';
import { InboxController, BulkPagesController } from './inbox/inbox.controller.js';
import { EditPagesController, SubmissionPartsController } from './submission/edit.controller.js';
import {
  SubmissionPagesController,
  TriagePagesController,
} from './submission/submission.controller.js';
import {
  ConfirmController,
  OidcController,
  LinkController,
  SignInPages,
  SignInController,
} from './sign-in/sign-in.controller.js';
import { AssetsController } from './assets/assets.controller.js';
import { Frames } from './layout/frames.js';
import { FileViews, SubmissionViews } from './submission/submission-views.js';
import { SavedViewPagesController } from './saved-views/views.controller.js';
import { SavedViewsModule } from '../saved-views/saved-views.module.js';
import { Troubles } from './layout/troubles.js';
import { SetupController } from './sign-in/setup.controller.js';
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
  SetupController,
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
  FormLooksPagesController,
  SettingsPagesController,
  SettingsPagesController,
  SettingsPagesController,
  AliasPagesController,
  MovePagesController,
  FormLooksPagesController,
  FormLooksPagesController,
  SpamPagesController,
  WebhookPagesController,
  DestinationExclusionPagesController,
  DestinationListPagesController,
  DestinationPagesController,
  DestinationPreviewController,
  RedeliveryPagesController,
  FormLooksPagesController,
  FormLooksPagesController,
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
  ClientBrandPagesController,
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
  AccountController,
  AccountController,
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
    DestinationViews,
    FileViews,
    FormHeads,
    Frames,
    ImportUpload,
    InboxList,
    InboxRows,
    Looks,
    SentFields,
    SettingsPages,
    SignInPages,
    SubmissionViews,
    Troubles,
  ],
})
export class WebModule {}
