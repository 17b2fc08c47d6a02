/** What an owner can set of a form besides its settings. */
export interface FormExtras {
  retentionDays: number | null;
  /** As `FieldLabels` encodes them. */
  fieldLabels: string | null;
  /** As `SpamSettings` encodes them. */
  spamSettings: string | null;
  /** As `encodePreview` and `encodeLearnt` do. */
  previewFields: string | null;
}

/** What a form has besides settings until its owner sets it. */
export const NO_EXTRAS: FormExtras = {
  retentionDays: null,
  fieldLabels: null,
  spamSettings: null,
  previewFields: null,
};
