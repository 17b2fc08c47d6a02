/** A service that sends mails, by the host that takes them from us. */
export interface Provider {
  name: string;
  host: RegExp;
  /** Name whose SPF record lists its addresses. */
  include: string;
  /** Usual DKIM selectors; none where each customer has others. */
  selectors: readonly string[];
}

/** Providers with what their documentation has customers add to the DNS. */
const PROVIDERS: readonly Provider[] = [
  { name: 'Postmark', host: /(?:^|\.)postmarkapp\.com$/, include: 'spf.mtasv.net', selectors: ['pm'] },
  {
    name: 'Mailgun',
    host: /(?:^|\.)mailgun\.org$/,
    include: 'mailgun.org',
    selectors: ['mailo', 'pic', 'k1', 'smtp', 'mx', 'pdk1', 'pdk2'],
  },
  { name: 'Amazon SES', host: /^email-smtp[\w.-]*\.amazonaws\.com$/, include: 'amazonses.com', selectors: [] },
  { name: 'SendGrid', host: /(?:^|\.)sendgrid\.net$/, include: 'sendgrid.net', selectors: ['s1', 's2'] },
  {
    name: 'Brevo',
    host: /(?:^|\.)(?:brevo|sendinblue)\.com$/,
    include: 'spf.brevo.com',
    selectors: ['brevo1', 'brevo2', 'mail'],
  },
  { name: 'Mailjet', host: /(?:^|\.)mailjet\.com$/, include: 'spf.mailjet.com', selectors: ['mailjet'] },
  {
    name: 'Mandrill',
    host: /(?:^|\.)mandrillapp\.com$/,
    include: 'spf.mandrillapp.com',
    selectors: ['mte1', 'mte2', 'mandrill'],
  },
  {
    name: 'Google Workspace',
    host: /^smtp(?:-relay)?\.(?:gmail|google)\.com$/,
    include: '_spf.google.com',
    selectors: ['google'],
  },
  {
    name: 'Microsoft 365',
    host: /(?:^smtp\.office365\.com|\.mail\.protection\.outlook\.com)$/,
    include: 'spf.protection.outlook.com',
    selectors: ['selector1', 'selector2'],
  },
  {
    name: 'Fastmail',
    host: /(?:^|\.)fastmail\.com$/,
    include: 'spf.messagingengine.com',
    selectors: ['fm1', 'fm2', 'fm3'],
  },
];
/** Selectors that mail servers of one's own commonly have. */
const COMMON_SELECTORS = ['default', 'dkim', 'mail', 'key1', 's1', 's2'];

/** Returns the provider that a mail server is of; null when it is of none that we know. */
export function providerOf(host: string): Provider | null {
  return PROVIDERS.find((provider) => provider.host.test(host.toLowerCase())) ?? null;
}

/** Returns the selectors that are worth a try: the provider's, else all providers', with common ones. */
export function usualSelectors(provider: Provider | null): string[] {
  if (provider) return [...provider.selectors];
  return [...new Set([...COMMON_SELECTORS, ...PROVIDERS.flatMap(({ selectors }) => selectors)])];
}
