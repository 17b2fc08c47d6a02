import { CreateAccountsFormsAndClients1763700000000 } from './1763700000000-create-accounts-forms-and-clients.js';
import { CreateSubmissions1763800000000 } from './1763800000000-create-submissions.js';
import { CreateDeliveries1763900000000 } from './1763900000000-create-deliveries.js';
import { CreateSigningKeys1764000000000 } from './1764000000000-create-signing-keys.js';
import { CreateRateCounts1764100000000 } from './1764100000000-create-rate-counts.js';
import { AddRemovalsToBatches1764300000000 } from './1764300000000-add-removals-to-batches.js';
import { CreatePeople1764400000000 } from './1764400000000-create-people.js';
import { AddSpamCodes1764500000000 } from './1764500000000-add-spam-codes.js';
import { AddSecondFactors1764600000000 } from './1764600000000-add-second-factors.js';
import { CreateRecipientConfirmations1764700000000 } from './1764700000000-create-recipient-confirmations.js';
import { CreateSubmissionMarks1764820000000 } from './1764820000000-create-submission-marks.js';
import { CreatePasskeys1764830000000 } from './1764830000000-create-passkeys.js';
import { IndexDeliveriesByState1764840000000 } from './1764840000000-index-deliveries-by-state.js';
import { CreateIdentities1764900000000 } from './1764900000000-create-identities.js';
import { AddFieldLabels1765000000000 } from './1765000000000-add-field-labels.js';
import { CreateAccountBrands1765100000000 } from './1765100000000-create-account-brands.js';
import { CreateSubmissionNotes1765200000000 } from './1765200000000-create-submission-notes.js';
import { AddViewsToSessions1766010000000 } from './1766010000000-add-views-to-sessions.js';
import { CountSubmissions1766040000000 } from './1766040000000-count-submissions.js';
import { CreateBulkJobs1766050000000 } from './1766050000000-create-bulk-jobs.js';
import { IndexVisitors1766060000000 } from './1766060000000-index-visitors.js';
import { CountBytesOfFiles1766070000000 } from './1766070000000-count-bytes-of-files.js';
import { CreateSubmissionVerdicts1766080000000 } from './1766080000000-create-submission-verdicts.js';
import { AddGiversToMarks1766210000000 } from './1766210000000-add-givers-to-marks.js';
import { CreateSavedViews1766220000000 } from './1766220000000-create-saved-views.js';
import { CreateViewDigests1766230000000 } from './1766230000000-create-view-digests.js';
import { CreateSignals1766250000000 } from './1766250000000-create-signals.js';
import { CreateSpamModels1766310000000 } from './1766310000000-create-spam-models.js';
import { CreateSpamLists1766410000000 } from './1766410000000-create-spam-lists.js';
import { AddKeysToPeople1766420000000 } from './1766420000000-add-keys-to-people.js';
import { CreateSpentSolutions1766430000000 } from './1766430000000-create-spent-solutions.js';
import { CreateCaptchaTroubles1766430100000 } from './1766430100000-create-captcha-troubles.js';
import { KeepWhatSignalsSaid1766440000000 } from './1766440000000-keep-what-signals-said.js';
import { AddMentionsToNotes1766450000000 } from './1766450000000-add-mentions-to-notes.js';
import { CreateSubmissionTexts1766460000000 } from './1766460000000-create-submission-texts.js';
import { CreateTextBlocks1766460100000 } from './1766460100000-create-text-blocks.js';
import { AddExportsToJobs1766461100000 } from './1766461100000-add-exports-to-jobs.js';
import { IndexAuditFilters1766462100000 } from './1766462100000-index-audit-filters.js';
import { AddPreviewsToForms1766463100000 } from './1766463100000-add-previews-to-forms.js';
import { CountDeliveries1766463200000 } from './1766463200000-count-deliveries.js';
import { CreatePresences1766463300000 } from './1766463300000-create-presences.js';
import { CreateFacets1766464000000 } from './1766464000000-create-facets.js';
import { CreateSubmissionActs1766465000000 } from './1766465000000-create-submission-acts.js';
import { KeepRemovedNotes1766465100000 } from './1766465100000-keep-removed-notes.js';
import { CountErasures1766473000000 } from './1766473000000-count-erasures.js';
import { NameAccountsOfSubmissions1766466000000 } from './1766466000000-name-accounts-of-submissions.js';
import { ReplaceSlicesByPostings1766472000000 } from './1766472000000-replace-slices-by-postings.js';
import { IndexFilesByForm1766474000000 } from './1766474000000-index-files-by-form.js';
import { SayWhichClientMadeAForm1766475000000 } from './1766475000000-say-which-client-made-a-form.js';
import { CreateFailingRecipients1766495000000 } from './1766495000000-create-failing-recipients.js';
import { AddIntakeRulesToForms1766500000000 } from './1766500000000-add-intake-rules-to-forms.js';
import { CreateFormAliases1766500100000 } from './1766500100000-create-form-aliases.js';
import { CreateImports1766510000000 } from './1766510000000-create-imports.js';
import { AddFormatsToWebhooks1766520000000 } from './1766520000000-add-formats-to-webhooks.js';
import { KeepChangedValues1766530000000 } from './1766530000000-keep-changed-values.js';
import { CreateTrash1766530100000 } from './1766530100000-create-trash.js';
import { AddMissingFilesToImports1766540000000 } from './1766540000000-add-missing-files-to-imports.js';
import { CreateFileScans1766550000000 } from './1766550000000-create-file-scans.js';
import { CreateDestinations1766570000000 } from './1766570000000-create-destinations.js';
import { CreateOptIns1766580000000 } from './1766580000000-create-opt-ins.js';
import { CreateClientBrands1766590000000 } from './1766590000000-create-client-brands.js';
import { CreateClientHosts1766600000000 } from './1766600000000-create-client-hosts.js';
import { CreateDestinationExclusions1766605000000 } from './1766605000000-create-destination-exclusions.js';
import { CreateDigestEntries1766610000000 } from './1766610000000-create-digest-entries.js';
import { CreateReportRecipients1766620000000 } from './1766620000000-create-report-recipients.js';
import { CreateFormWatches1766700000000 } from './1766700000000-create-form-watches.js';
import { CreateFormRefusals1766720000000 } from './1766720000000-create-form-refusals.js';
import { CreateFormCanaries1766710000000 } from './1766710000000-create-form-canaries.js';
import { CreateOperatorAlarms1766720100000 } from './1766720100000-create-operator-alarms.js';
import { CountLostLeasesOfImports1766730000000 } from './1766730000000-count-lost-leases-of-imports.js';
import { CreateSubmissionRepeats1766761000000 } from './1766761000000-create-submission-repeats.js';
import { AddSubjects1766760000000 } from './1766760000000-add-subjects.js';
import { CreateRunningInstances1766740000000 } from './1766740000000-create-running-instances.js';

/** All migrations, oldest first. Never edit a merged one: add a new one. */
export const migrations = [
  CreateAccountsFormsAndClients1763700000000,
  CreateSubmissions1763800000000,
  CreateDeliveries1763900000000,
  CreateSigningKeys1764000000000,
  CreateRateCounts1764100000000,
  AddRemovalsToBatches1764300000000,
  CreatePeople1764400000000,
  AddSpamCodes1764500000000,
  AddSecondFactors1764600000000,
  CreateRecipientConfirmations1764700000000,
  CreateSubmissionMarks1764820000000,
  CreatePasskeys1764830000000,
  IndexDeliveriesByState1764840000000,
  CreateIdentities1764900000000,
  AddFieldLabels1765000000000,
  CreateAccountBrands1765100000000,
  CreateSubmissionNotes1765200000000,
  AddViewsToSessions1766010000000,
  CountSubmissions1766040000000,
  CreateBulkJobs1766050000000,
  IndexVisitors1766060000000,
  CountBytesOfFiles1766070000000,
  CreateSubmissionVerdicts1766080000000,
  AddGiversToMarks1766210000000,
  CreateSavedViews1766220000000,
  CreateViewDigests1766230000000,
  CreateSignals1766250000000,
  CreateSpamModels1766310000000,
  CreateSpamLists1766410000000,
  AddKeysToPeople1766420000000,
  CreateSpentSolutions1766430000000,
  CreateCaptchaTroubles1766430100000,
  KeepWhatSignalsSaid1766440000000,
  AddMentionsToNotes1766450000000,
  CreateSubmissionTexts1766460000000,
  CreateTextBlocks1766460100000,
  AddExportsToJobs1766461100000,
  IndexAuditFilters1766462100000,
  AddPreviewsToForms1766463100000,
  CountDeliveries1766463200000,
  CreatePresences1766463300000,
  CreateFacets1766464000000,
  CreateSubmissionActs1766465000000,
  KeepRemovedNotes1766465100000,
  NameAccountsOfSubmissions1766466000000,
  ReplaceSlicesByPostings1766472000000,
  CountErasures1766473000000,
  IndexFilesByForm1766474000000,
  SayWhichClientMadeAForm1766475000000,
  CreateFailingRecipients1766495000000,
  AddIntakeRulesToForms1766500000000,
  CreateFormAliases1766500100000,
  CreateImports1766510000000,
  AddFormatsToWebhooks1766520000000,
  KeepChangedValues1766530000000,
  CreateTrash1766530100000,
  AddMissingFilesToImports1766540000000,
  CreateFileScans1766550000000,
  CreateDestinations1766570000000,
  CreateOptIns1766580000000,
  CreateClientBrands1766590000000,
  CreateClientHosts1766600000000,
  CreateDestinationExclusions1766605000000,
  CreateDigestEntries1766610000000,
  CreateReportRecipients1766620000000,
  CreateFormWatches1766700000000,
  CreateFormCanaries1766710000000,
  CreateFormRefusals1766720000000,
  CreateOperatorAlarms1766720100000,
  CountLostLeasesOfImports1766730000000,
  CreateRunningInstances1766740000000,
  AddSubjects1766760000000,
  CreateSubmissionRepeats1766761000000,
];
