/** Longest name of a form, in characters. */
export const FORM_NAME_MAX = 255;

/** The part of a form that its owner can set, each setting in its normal form. */
export interface FormSettings {
  name: string;
  submissionText: string;
  webhookUrl: string | null;
  redirectUrl: string | null;
  notifySubmitter: boolean | null;
  notifySubmitterFrom: string | null;
  notifySubmitterFromName: string | null;
  notifySubmitterSubject: string | null;
  notifySubmitterBody: string | null;
  notifyOwnerOnSubmission: boolean;
  notifyOwnerEmails: string | null;
  showSubmittedValues: boolean;
  bgColor: string | null;
  textColor: string | null;
  linkColor: string | null;
  whitelistedDomains: string | null;
}

/** Settings of a form that is created by name only: visitors are thanked, and the owner gets a mail. */
export const DEFAULTS: Omit<FormSettings, 'name'> = {
  submissionText: 'Thank you! We have received your submission.',
  webhookUrl: null,
  redirectUrl: null,
  notifySubmitter: null,
  notifySubmitterFrom: null,
  notifySubmitterFromName: null,
  notifySubmitterSubject: null,
  notifySubmitterBody: null,
  notifyOwnerOnSubmission: true,
  notifyOwnerEmails: null,
  showSubmittedValues: false,
  bgColor: null,
  textColor: null,
  linkColor: null,
  whitelistedDomains: null,
};

/** Everything that an owner can set. */
export const SETTING_NAMES = ['name', ...Object.keys(DEFAULTS)] as (keyof FormSettings)[];
