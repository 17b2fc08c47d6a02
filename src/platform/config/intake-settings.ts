import { parseWebUrl } from '../kernel/text/addresses.js';
import { parseClamdAddress, parseServiceUrl } from './addresses.js';
import { kind, matching, oneOf, setting, taking, whole } from './setting.js';

const MIB = 1024 * 1024;
const TIB = MIB * MIB;
const RATE_MAX = 1_000_000_000;

const rate = whole(0, RATE_MAX, 'requests a minute');
const verifier = kind(
  taking((given) => parseWebUrl(given) !== null),
  'be an absolute http or https address, such as https://www.recaptcha.net/recaptcha/api/siteverify',
);

/** Holds what a submission can be, and what is kept of its visitor. */
export const INTAKE = {
  storeIp: setting('STORE_IP', oneOf('full', 'truncated', 'none'), {
    default: 'truncated',
    doc: "How much of a visitor's IP address to store: `full`, `truncated` (`203.0.113.0`, `2001:db8:1::`) or `none`.",
  }),
  countryHeader: setting('COUNTRY_HEADER', matching(/^[A-Za-z0-9-]{1,64}$/), {
    must: 'be the name of a header, such as CF-IPCountry',
    doc: "Header with the visitor's country from a trusted proxy that replaces any header of the visitor, such as `CF-IPCountry`. The service stores and counts the country. Ignored with `STORE_IP=none`.",
  }),
  maxBodyBytes: setting('MAX_BODY_BYTES', whole(1_024, 8 * MIB, 'bytes'), {
    default: MIB,
    doc: 'Largest submission in bytes, not counting files, {range}. Reading and scoring a megabyte takes up to 0.1 seconds, in which the process answers nobody else. So 8 MB can stall it for a second.',
  }),
  maxFields: setting('MAX_FIELDS', whole(1, 10_000, 'fields'), {
    default: 500,
    doc: 'Most fields of a submission, {range}; each item of a JSON list counts as one.',
  }),
  maxFieldNameBytes: setting('MAX_FIELD_NAME_BYTES', whole(16, 4_096, 'bytes'), {
    default: 256,
    doc: 'Longest field name in bytes, {range}.',
  }),
  maxFieldValueBytes: setting('MAX_FIELD_VALUE_BYTES', whole(256, 8 * MIB, 'bytes'), {
    default: 256 * 1024,
    doc: 'Longest field value in bytes, {range}.',
  }),
  maxJsonDepth: setting('MAX_JSON_DEPTH', whole(1, 100, 'levels'), {
    default: 16,
    doc: 'Deepest nesting of a JSON submission in levels, {range}.',
  }),
  maxFiles: setting('MAX_FILES', whole(0, 100, 'files'), { default: 10, doc: 'Most files of a submission, {range}.' }),
  maxFileBytes: setting('MAX_FILE_BYTES', whole(1_024, 1_024 * MIB, 'bytes'), {
    default: 10 * MIB,
    doc: 'Largest file in bytes, {range}.',
  }),
  maxUploadBytes: setting('MAX_UPLOAD_BYTES', whole(1_024, 4_096 * MIB, 'bytes'), {
    default: 25 * MIB,
    doc: 'All files of a submission together in bytes, {range}.',
  }),
  minFreeDisk: setting('MIN_FREE_DISK', whole(0, TIB, 'bytes'), {
    default: 256 * MIB,
    doc: 'Disk space of `DATA_DIR` that files and exports must leave free, in bytes, {range}; `0` for none. Below it, the service refuses files (503) and exports fail, but it still accepts text.',
  }),
  maxAccountFilesBytes: setting('MAX_ACCOUNT_FILES_BYTES', whole(0, 1_024 * TIB, 'bytes'), {
    default: 0,
    example: 1_024 * MIB,
    doc: 'Most disk space for all files of an account in bytes, {range}; `0` for no limit. The service refuses submissions with files that do not fit (507) and accepts those without files.',
  }),
  maxAccountExportsBytes: setting('MAX_ACCOUNT_EXPORTS_BYTES', whole(MIB, 1_024 * TIB, 'bytes'), {
    default: 4_096 * MIB,
    doc: 'Most disk space for all exports of an account, and on each instance for its running CSV and XLSX downloads, in bytes, {range}. An export that does not fit fails.',
  }),
  importMaxBytes: setting('IMPORT_MAX_BYTES', whole(1_024, TIB, 'bytes'), {
    default: 1_024 * MIB,
    doc: 'Largest file of submissions that another service exported, in bytes, {range}.',
  }),
  maxConcurrentPerAddress: setting('MAX_CONCURRENT_PER_ADDRESS', whole(1, 100_000, 'requests'), {
    default: 256,
    doc: 'Most submissions that one address can send at the same time, {range}. Behind a proxy, set `TRUST_PROXY` too.',
  }),
  maxWaitingBytes: setting('MAX_WAITING_BYTES', whole(65_536, 4_096 * MIB, 'bytes'), {
    default: 64 * MIB,
    doc: 'Most bytes of submissions in the queue for the database, {range}; beyond it the service asks visitors to try again.',
  }),
  clamd: setting('CLAMD', parseClamdAddress, {
    unset: 'none',
    must: 'be where clamd listens, such as tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
    doc: 'The clamd that scans the files of visitors for viruses: `tcp://127.0.0.1:3310`, `host:3310`, `unix:/run/clamav/clamd.ctl` or an absolute path. See [operations](operations.md#virus-scan).',
  }),
  clamdMaxBytes: setting('CLAMD_MAX_BYTES', whole(1_024, 4_095 * MIB, 'bytes'), {
    default: 25 * MIB,
    doc: 'Largest file given to clamd, in bytes: `StreamMaxLength` of its `clamd.conf`. Larger files are stored and not scanned.',
  }),
  canary: setting('CANARY', oneOf('on', 'off'), {
    default: 'on',
    doc: 'Whether [canaries](canary.md) test forms by their schedules: `on` or `off`. By hand they run always.',
  }),
};

/** Holds rate limits; 0 stands for none. */
export const LIMITS = {
  address: setting('RATE_LIMIT_ADDRESS', rate, {
    default: 1_200,
    doc: 'Most submissions, pages and file links per minute and address (for IPv6 per network of 64 bits); `0` for no limit. Behind a proxy, set `TRUST_PROXY` too.',
  }),
  form: setting('RATE_LIMIT_FORM', rate, {
    default: 30_000,
    doc: 'Most submissions per minute and form; `0` for no limit.',
  }),
  token: setting('RATE_LIMIT_TOKEN', rate, {
    default: 6_000,
    doc: 'Most requests per minute and API token; `0` for no limit.',
  }),
  session: setting('RATE_LIMIT_SESSION', rate, {
    default: 1_200,
    doc: 'Most requests per minute and session: pages, and requests of their scripts; `0` for no limit.',
  }),
  failures: setting('RATE_LIMIT_FAILURES', rate, {
    default: 300,
    doc: 'Most API requests per minute and address without a valid token, with links that confirm nothing; `0` for no limit. A valid token always works.',
  }),
  signIn: setting('RATE_LIMIT_SIGN_IN', rate, {
    default: 10,
    doc: 'Most attempts per minute to sign in as one person from one address. Three times as many for all people from there; six times as many for one person from addresses they never used. Nobody is locked out. `0` for no limit.',
  }),
  signInLinks: setting('RATE_LIMIT_SIGN_IN_LINKS', whole(0, RATE_MAX, 'mails in 15 minutes'), {
    default: 5,
    doc: 'Most sign-in emails per 15 minutes to one address from one network. Four times as many to all addresses; twice as many to one address from networks its person never used. `0` for no limit.',
  }),
};

/** Holds where other spam filters are that forms can ask. */
export const FILTERS = {
  rspamdUrl: setting('RSPAMD_URL', parseServiceUrl, {
    unset: 'none',
    must: 'be an http or https address, such as http://127.0.0.1:11333',
    doc: 'Address of an rspamd worker for the spam signal `rspamd`, such as `http://127.0.0.1:11333`.',
  }),
  akismetKey: setting('AKISMET_KEY', matching(/^[A-Za-z0-9]{6,64}$/), {
    unset: 'none',
    must: 'be your Akismet API key, such as 12ab3456cd78',
    doc: 'Akismet key for the spam signal `akismet`. Forms that use it send their submissions and the addresses of visitors to Akismet.',
  }),
  akismetUrl: setting('AKISMET_URL', parseServiceUrl, {
    default: 'https://rest.akismet.com',
    must: 'be an http or https address, such as {example}',
    doc: 'Address of Akismet.',
  }),
};

/** Holds where tokens of captchas are verified: another region or mirror of a provider, or a proxy. */
export const CAPTCHA = {
  turnstileUrl: setting('CAPTCHA_TURNSTILE_URL', verifier, {
    default: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    doc: 'Address that verifies Turnstile tokens. Private addresses need `WEBHOOK_ALLOWED_NETWORKS`, also in the settings below.',
  }),
  hcaptchaUrl: setting('CAPTCHA_HCAPTCHA_URL', verifier, {
    default: 'https://api.hcaptcha.com/siteverify',
    doc: 'The same for hCaptcha.',
  }),
  recaptchaUrl: setting('CAPTCHA_RECAPTCHA_URL', verifier, {
    default: 'https://www.google.com/recaptcha/api/siteverify',
    doc: 'The same for reCAPTCHA; `https://www.recaptcha.net/recaptcha/api/siteverify` where Google is blocked.',
  }),
  friendlyCaptchaUrl: setting('CAPTCHA_FRIENDLY_CAPTCHA_URL', verifier, {
    default: 'https://global.frcapi.com/api/v2/captcha/siteverify',
    doc: 'The same for Friendly Captcha; `https://eu.frcapi.com/api/v2/captcha/siteverify` to stay in the EU.',
  }),
};
