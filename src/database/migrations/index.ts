import { CreateAccountsFormsAndClients1763700000000 } from './1763700000000-create-accounts-forms-and-clients.js';
import { CreateSubmissions1763800000000 } from './1763800000000-create-submissions.js';

/** Every migration, oldest first. A merged one is never edited. */
export const migrations = [
  CreateAccountsFormsAndClients1763700000000,
  CreateSubmissions1763800000000,
];
