/** Most fields of a form. */
export const FIELDS_MAX = 250;
/** Most of them that a row of the inbox shows: it is one line. */
export const IN_INBOX_MAX = 10;
/** Longest label and help, in characters. */
export const LABEL_MAX = 100;
export const HELP_MAX = 500;
/** Most choices of a field, and types of its files. */
export const CHOICES_MAX = 100;
export const FILE_TYPES_MAX = 20;

/** The kinds of fields, most as the `type` of an `input` in HTML. */
export const FIELD_KINDS = [
  ...['text', 'long_text', 'email', 'url', 'tel', 'number', 'date'],
  ...['choice', 'choices', 'check', 'file', 'hidden'],
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field of a form; an absent property asks for nothing. */
export interface Field {
  /** As the form sends it. */
  name: string;
  kind: FieldKind;
  /** Text that people read in place of the name. */
  label?: string;
  /** A sentence for visitors below the label. */
  help?: string;
  required?: boolean;
  /** Bounds of a number. */
  min?: number;
  max?: number;
  /** Bounds of the length, in characters. */
  minLength?: number;
  maxLength?: number;
  /** A regular expression for all of the value. */
  pattern?: string;
  /** The values that the field can have. */
  choices?: readonly string[];
  /** Endings of the names of files, such as `.pdf`. */
  fileTypes?: readonly string[];
  /** The largest file, in bytes. */
  maxFileBytes?: number;
  /** Whether no two submissions may have the same value. */
  unique?: boolean;
  /** Whether rows of the inbox show it. */
  inInbox?: boolean;
}
