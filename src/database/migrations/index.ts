import { CreateAccountsFormsAndClients1763700000000 } from './1763700000000-create-accounts-forms-and-clients.js';
import { CreateSubmissions1763800000000 } from './1763800000000-create-submissions.js';
import { CreateDeliveries1763900000000 } from './1763900000000-create-deliveries.js';
import { CreateRateCounts1764000000000 } from './1764000000000-create-rate-counts.js';
import { IndexSubmissionsByTime1764100000000 } from './1764100000000-index-submissions-by-time.js';
import { AddDigestsToBatches1764200000000 } from './1764200000000-add-digests-to-batches.js';

/** Every migration, oldest first. A merged one is never edited. */
export const migrations = [
  CreateAccountsFormsAndClients1763700000000,
  CreateSubmissions1763800000000,
  CreateDeliveries1763900000000,
  CreateRateCounts1764000000000,
  IndexSubmissionsByTime1764100000000,
  AddDigestsToBatches1764200000000,
];
