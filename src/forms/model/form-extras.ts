/** Choices of an owner for a form, besides its settings. */
export interface FormExtras {
  retentionDays: number | null;
  /** As `FieldLabels` encodes them. */
  fieldLabels: string | null;
  /** As `SpamSettings` encodes them. */
  spamSettings: string | null;
  /** As `encodePreview` and `encodeLearnt` do. */
  previewFields: string | null;
  /** As `FieldRules` encodes them. */
  fieldRules: string | null;
  /** As `IntakeGate` encodes it. */
  intakeGate: string | null;
  /** Provider whose answers visitors get, whatever address they send to; null for those of the address. */
  dialect: string | null;
  /** The mails to its visitors besides the settings, as `VisitorMail` encodes it. */
  visitorMail: string | null;
}

/** Defaults of these choices. */
export const NO_EXTRAS: FormExtras = {
  retentionDays: null,
  fieldLabels: null,
  spamSettings: null,
  previewFields: null,
  fieldRules: null,
  intakeGate: null,
  dialect: null,
  visitorMail: null,
};
