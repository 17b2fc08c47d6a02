/** An owner's choice about the mails of a form to visitors, besides its settings. */
export interface VisitorMailChoice {
  /** Whether a visitor confirms a submission before anything goes out. */
  doubleOptIn: boolean;
  /** The body as HTML with placeholders; null for plain text. */
  html: string | null;
}

/** The mails of a form whose owner chose nothing. */
const PLAIN_VISITOR_MAIL: VisitorMailChoice = { doubleOptIn: false, html: null };

/** Reads what `encodeVisitorMail` wrote. */
export function decodeVisitorMail(text: string | null): VisitorMailChoice {
  if (text === null) return PLAIN_VISITOR_MAIL;
  return { ...PLAIN_VISITOR_MAIL, ...(JSON.parse(text) as Partial<VisitorMailChoice>) };
}

/** Returns the text that is stored: JSON; null for the defaults. */
export function encodeVisitorMail({ doubleOptIn, html }: VisitorMailChoice): string | null {
  return doubleOptIn || html !== null ? JSON.stringify({ doubleOptIn, html }) : null;
}
