/** Choices of an owner for a form, besides its settings. */
export interface FormExtras {
  retentionDays: number | null;
  /** As `FieldLabels` encodes them. */
  fieldLabels: string | null;
  /** As `SpamSettings` encodes them. */
  spamSettings: string | null;
  /** As `encodePreview` and `encodeLearnt` do. */
  previewFields: string | null;
}

/** Defaults of these choices. */
export const NO_EXTRAS: FormExtras = {
  retentionDays: null,
  fieldLabels: null,
  spamSettings: null,
  previewFields: null,
};
