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
];
