/** Names of columns that say when something was submitted, in any case of letters, most exact first. */
export const DATES = [
  '_date',
  'created_at',
  'createdAt',
  'submitted_at',
  'submittedAt',
  'submissionDateISO',
  'Timestamp',
  'Date',
] as const;

/** Says where an export of a provider keeps what we know of a submission; all other columns are fields. */
export interface Provider {
  /** Its name for people. */
  title: string;
  /** The kinds of its files; `json` and `csv` are told apart by their first character. */
  kinds: readonly ('json' | 'csv' | 'ndjson')[];
  /** Columns of the time, the first that has one counts. */
  time: readonly string[];
  /** Columns of the id that the submission has there. */
  id: readonly string[];
  /** The same in CSV alone, where in JSON it would be a field. */
  idInCsv?: readonly string[];
  /** Members that hold the fields; where none is there, the fields stand beside the rest. */
  fields: readonly string[];
  /** Columns that say that it is spam: by `true`, `yes`, `1` or `spam`, or with a member `spam` that does. */
  spam: readonly string[];
  /** Columns that are no fields. */
  leftOut: readonly string[];
  /** Columns of the page and the browser that it came from. */
  referer: readonly string[];
  userAgent: readonly string[];
  origin?: readonly string[];
  /** Whether ids are those of a service like this one. */
  isOurs?: boolean;
  /** Returns the name of the field that a column has the values of; without it, they are called alike. */
  fieldOf?: (column: string) => string;
}
