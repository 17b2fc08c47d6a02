import { Release010 } from './0.1.0.js';
import { Release020 } from './0.2.0.js';
import {
  FieldsAreOneList,
  FindingsAreOneTable,
  FormsHaveStatuses,
  Since020,
  WebhooksAreDestinations,
  WorkIsJobs,
  CountersAreOneTable,
  FormsHaveLanguages,
} from './next.js';

/** All migrations, oldest first. Never edit a released one. */
export const migrations = [
  Release010,
  Release020,
  Since020,
  WebhooksAreDestinations,
  FieldsAreOneList,
  FormsHaveStatuses,
  FindingsAreOneTable,
  WorkIsJobs,
  CountersAreOneTable,
  FormsHaveLanguages,
];

/** Their names, as databases and backups have them. */
export const migrationNames = migrations.map((Each) => new Each().name);
