import { broken } from './broken.js';

/** How people sign in, and what their pages let them do. */
export default [
  ...broken('src/auth/guarded.cookie.ts', 'e2e session-cookie', {
    'a cookie of a session over https is for this host alone': [
      'isHttps(config) ? HOST_PREFIX + name : name',
      'name',
    ],
    'a cookie of a session goes over https alone': ['secure: isHttps(config)', 'secure: false'],
  }),
  ...broken('src/auth/guarded.cookie.ts', 'e2e sign-in', {
    'no other site sends the cookie of a session along': ["sameSite: 'lax'", "sameSite: 'none'"],
  }),
  ...broken('src/auth/local-path.ts', 'unit local-path', {
    'one goes on within this service alone': [
      "origin === HERE && !pathname.startsWith('//') ? pathname + search : null",
      'pathname + search',
    ],
  }),
  ...broken('src/auth/session.guard.ts', 'e2e web-actions', {
    'an action that a person may not take is refused': [
      'if (action && !principal.may(action)) throw',
      'if (action === undefined && !principal) throw',
    ],
  }),
  ...broken('src/people/credentials/factors.service.ts', 'e2e second-factor', {
    'a new second factor ends other sessions':
      '      await this.sessions.endAllOf(tx, id, session.id);\n',
  }),
  ...broken('src/people/credentials/recovery-codes.repository.ts', 'e2e second-factor', {
    'a recovery code is taken once': [
      'const { affected } = await this.codes.delete({ personId, digest });',
      'const affected = await this.codes.countBy({ personId, digest });',
    ],
  }),
  ...broken('src/people/person/passwords.ts', 'unit passwords', {
    'an unknown address costs as much as a known one': [
      'const known = kept ?? (await this.dummy);',
      'if (kept === null) return false;\n    const known = kept;',
    ],
  }),
  ...broken('src/people/person/people.repository.ts', 'e2e second-factor', {
    'a code of an authenticator app is taken once': [
      '{ id, totpStep: LessThan(totpStep) },',
      '{ id },',
    ],
  }),
  ...broken('src/people/profile/profile.service.ts', 'e2e sign-in', {
    'a new password ends other sessions': [
      '      await this.people.in(tx).update(person, { passwordHash });\n      await this.sessions.endAllOf(tx, person.id, session.id);\n',
      '      await this.people.in(tx).update(person, { passwordHash });\n',
    ],
    'a new password asks for the present one': ['if (!isShown) {', 'if (isShown === undefined) {'],
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e people', {
    'a client that is gone lets its people do nothing': [
      'if (!client) return null;',
      'if (!client) return new Principal(accountId, null, actor, rightsOfRole("owner"), true);',
    ],
    'who is kept out may do nothing': 'if (disabledAt !== null) return null;',
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e people-ends', {
    'a person who is kept out does not go on there': [
      'if (membership?.disabledAt !== null) throw',
      'if (!membership) throw',
    ],
  }),
  ...broken('src/people/sign-in/sign-in.service.ts', 'e2e second-factor', {
    'without the second factor nothing opens': [
      'if (!session?.provedAt) return null;',
      'if (!session) return null;',
    ],
  }),
  ...broken('src/platform/rate-limits/rate-limits.ts', 'e2e sign-in-limits', {
    'tries of one network for many people are counted':
      "    this.admit('sign-in-network', network);\n",
  }),
  ...broken('src/sessions/session.entity.ts', 'e2e second-factor', {
    'a second factor has to come soon': [
      'SECOND_STEP_MS = 10 * MINUTE_MS',
      'SECOND_STEP_MS = DAY_MS',
    ],
    'a proof of who somebody is grows old': [
      'now.getTime() - this.provedAt.getTime() < PROOF_LASTS_MS',
      'now > new Date(0)',
    ],
  }),
  ...broken('src/sessions/sessions.repository.ts', 'e2e sign-in', {
    'a session of somebody else cannot be ended': [
      'const { affected } = await this.sessions.delete({ personId, id });',
      'const { affected } = await this.sessions.delete({ id });',
    ],
  }),
  ...broken('src/sessions/sessions.service.ts', 'e2e second-factor', {
    'a proof gives the session a new secret': [
      'const changes = { digest: hashSecret(secret), provedAt: this.clock.now() };',
      'const changes = { provedAt: this.clock.now() };',
    ],
  }),
  ...broken('src/submissions/images.service.ts', 'e2e web-images', {
    'a file is a picture by its bytes': [
      'const type = file ? await this.files.imageTypeOf(file) : null;',
      "const type = file ? 'image/png' : null;",
    ],
  }),
  ...broken('src/web/layout/send-page.ts', 'e2e sign-in', {
    'a page does what its own files and forms do': [
      'const POLICY = [\n  "default-src \'none\'",\n',
      'const POLICY = [\n',
    ],
    'a page is kept by nobody': ["caching = 'no-store'", "caching = 'private'"],
  }),
  ...broken('src/web/rows/looks.ts', 'e2e audit', {
    'only the look of the same person at the same submission goes on': [
      'payload?.equals(payloadOf(principal, submissionId)) ?? false',
      'payload !== null && submissionId.length > 0 && !principal.isOnlyLooking',
    ],
  }),
];
