import { CreateAccountsFormsAndClients1763700000000 } from './1763700000000-create-accounts-forms-and-clients.js';

/** Every migration, oldest first. A merged one is never edited. */
export const migrations = [CreateAccountsFormsAndClients1763700000000];
