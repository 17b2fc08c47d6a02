import { Room } from '../platform/room.js';
import { AccountController, TotpController } from './account/account.controller.js';
import { AuditPagesController } from './audit/audit.controller.js';
import { BrandPagesController } from './brand/brand.controller.js';
import { ClientBrandPagesController } from './clients/client-brand.controller.js';
import {
  ClientPeoplePagesController,
  ClientPagesController,
} from './clients/clients.controller.js';
import { FormHeads } from './form-head/form-head.js';
import { ReportPagesController } from './reports/reports.controller.js';
import { FleetChangePagesController, FormListController } from './fleet/form-list.controller.js';
import { FormPagesController, FormLooksPagesController } from './forms/forms.controller.js';
import { SettingsPagesController } from './forms/settings.controller.js';
import { SettingsPages } from './forms/settings-pages.js';
import { SpamPagesController, SpamLearningPagesController } from './spam/spam.controller.js';
import { AliasPagesController, MovePagesController } from './move/move.controller.js';
import { SentFields, Looks, InboxRows } from './rows/rows.js';
import {
  DestinationPagesController,
  DestinationPreviewController,
  FormDestinationPagesController,
  DestinationListPagesController,
} from './destinations/destinations.controller.js';
import { DestinationViews, StoredViews } from './destinations/destination-views.js';
import { GoController } from './go-to/go.controller.js';
import { ExportPagesController, JobPagesController } from './jobs/jobs.controller.js';
import { ImportPagesController, ImportUpload } from './imports/imports.controller.js';
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
import { Troubles } from './layout/troubles.js';
import { SetupController } from './sign-in/setup.controller.js';
import { InvitationPagesController, PeoplePagesController } from './people/people.controller.js';
import { ViewPagesController } from './people/views.controller.js';
import { StatisticsPagesController } from './statistics/statistics.controller.js';
import { WatchPagesController } from './watch/watch.controller.js';
import { StatusController } from './status/status.controller.js';
import { EventPagesController } from './events/events.controller.js';
import { VisitorPagesController } from './visitors/visitors.controller.js';
import { TokenPagesController } from './tokens/tokens.controller.js';

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
  FormDestinationPagesController,
  DestinationListPagesController,
  DestinationPagesController,
  DestinationPreviewController,
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
@Room({
  controllers: [AssetsController, ...PAGES],
  providers: [
    DestinationViews,
    StoredViews,
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
