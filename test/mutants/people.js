import { broken } from './broken.js';

/** How people sign in, and what their pages let them do. */
export default [
  ...broken('src/people/auth/session.cookie.ts', 'e2e session-cookie', {
    'a session over https is for this host alone': 'isHttps(config) ? HOST_PREFIX + name : ',
    'a cookie of a session goes over https alone': ['secure: isHttps(config)', 'secure: false'],
  }),
  ...broken('src/people/auth/session.cookie.ts', 'e2e sign-in', {
    'no other site sends the cookie of a session along': ["sameSite: 'lax'", "sameSite: 'none'"],
    'no script reads the cookie of a session': ['httpOnly: true', 'httpOnly: false'],
  }),
  ...broken('src/people/auth/session.cookie.ts', 'unit session.cookie', {
    'one goes on within this service alone': ["origin === HERE && !pathname.startsWith('//')", 'true'],
  }),
  ...broken('src/people/credentials/credentials.repository.ts', 'e2e second-factor', {
    'a recovery code is taken once': ['affected === 1;', 'true;'],
  }),
  ...broken('src/people/person/passwords.ts', 'unit passwords', {
    'an unknown address costs as much as a known one': [
      'const known = kept ?? (await this.dummy);',
      'if (kept === null) return false;\n    const known = kept;',
    ],
  }),
  ...broken('src/people/person/people.repository.ts', 'e2e second-factor', {
    'a code of an authenticator app is taken once': ['id, totpStep: LessThan(totpStep)', 'id'],
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e sign-in', {
    'a new way to sign in ends other sessions': 'await this.sessions.endAllOf(tx, id, session.id);',
  }),
  ...broken('src/people/sign-in-methods/proofs.service.ts', 'e2e sign-in', {
    'a new password asks for the present one': ['if (password === null ||', 'if (true ||'],
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e people', {
    'a client that is gone lets its people do nothing': [
      'if (!client) return null;',
      'if (!client) return new Principal(accountId, null, actor, rightsOfRole("owner"), true);',
    ],
    'who is kept out may do nothing': 'if (disabledAt !== null) return null;',
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e people-ends', {
    'who is kept out does not go on there': ['membership?.disabledAt !== null', '!membership'],
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e second-factor', {
    'without the second factor nothing opens': ['(!session?.provedAt) return', '(!session) return'],
  }),
  ...broken('src/people/sessions/session.entity.ts', 'e2e second-factor', {
    'a second factor has to come soon': ['= 10 * MINUTE_MS;\nconst', '= DAY_MS;\nconst'],
    'a proof of who somebody is grows old': [
      'now.getTime() - this.provedAt.getTime() < PROOF_LASTS_MS',
      'now > new Date(0)',
    ],
  }),
  ...broken('src/people/sessions/sessions.repository.ts', 'e2e sign-in', {
    'a session of somebody else cannot be ended': ['delete({ personId, id });', 'delete({ id });'],
  }),
  ...broken('src/people/sessions/sessions.service.ts', 'e2e second-factor', {
    'a proof gives the session a new secret': ['digest: hashSecret(secret), provedAt', 'provedAt'],
  }),
  ...broken('src/submissions/submissions.service.ts', 'e2e web-images', {
    'a file is a picture by its bytes': ['await this.files.imageTypeOf(file) :', "'image/png' :"],
  }),
  ...broken('src/web/layout/send-page.ts', 'e2e sign-in-attacks', {
    'a page does what its own files and forms do': ['default-src \'none\'",\n  "script', 'script'],
    'a page is kept by nobody': ["caching = 'no-store'", "caching = 'private'"],
  }),
  ...broken('src/web/rows/rows.ts', 'e2e audit', {
    'only the look of the same person at the same submission goes on': [
      'payload?.equals(payloadOf(principal, submissionId)) ?? false',
      'payload !== null && submissionId.length > 0 && !principal.isOnlyLooking',
    ],
  }),
];
