import { broken } from './broken.js';

/** Rules of the platform: database, links, limits, calls and answers. */
export default [
  ...broken('src/brands/brands.service.ts', 'e2e brand', {
    'a changed brand is shown at once': '      this.cache.forget(String(accountId));\n',
  }),
  ...broken('src/operations/health/health.service.ts', 'e2e health', {
    'an instance without an account is not ready': [
      'if (!this.hasAccount) throw',
      'if (this.hasAccount === undefined) throw',
    ],
  }),
  ...broken('src/platform/background/pace.ts', 'unit pace', {
    'upkeep rests the longer the more visitors need': [
      'const left = Math.max(1 - FREE - others, LEAST);',
      'const left = 1 - FREE;',
    ],
    'upkeep rests as long as it worked while visitors are there': [
      'others > THERE ? ms * rests : 0',
      '0',
    ],
    'pieces of all upkeep have their turns one after the other': [
      'new Turns(1)',
      'new Turns(Infinity)',
    ],
  }),
  ...broken('src/platform/background/portions.ts', 'unit portions', {
    'a portion that took long is followed by a smaller one': [
      '(rows * PORTION_MS) / Math.max(cpuMs, 1)',
      'rows * PORTION_MS',
    ],
  }),
  ...broken('src/platform/database/migrate.ts', 'e2e migrations has the whole database', {
    'migrations wait for a process that has the embedded database to itself': [
      'if (!isRetryable(error)) throw error;',
      'if (error !== undefined) throw error;',
    ],
  }),
  ...broken('src/platform/database/migrate.ts', 'e2e migrations wait for the one', {
    'the migration lock is waited for': [
      'while (!(await inTheEnd(() => takeOrRenew(database, holder, LEASE_MS)))) await pause(POLL_MS);',
      'await inTheEnd(() => takeOrRenew(database, holder, LEASE_MS)); await pause(POLL_MS);',
    ],
  }),
  ...broken('src/platform/database/unit-of-work.ts', 'e2e unit-of-work', {
    'transactions of the embedded database wait for each other': [
      'const mine = this.last.then(() =>',
      'const mine = Promise.resolve().then(() =>',
    ],
  }),
  ...broken('src/platform/database/unit-of-work.ts', 'unit unit-of-work', {
    'a deadlock is tried again': [
      'if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;',
      'if (attempt > 0) throw error;',
    ],
    'a deadlock is not tried for ever': [
      'attempt === MAX_ATTEMPTS || ',
      'attempt === 2 * MAX_ATTEMPTS || ',
    ],
    'another error is not tried again': [
      '|| !isRetryable(error)) throw',
      '|| error === null) throw',
    ],
  }),
  ...broken('src/platform/http-client/address-guard.ts', 'unit address-guard', {
    'no call goes to an address that leads inwards': ' && !isIn(address, DENIED)',
  }),
  ...broken('src/platform/http-client/address-guard.ts', 'unit own-address', {
    'no call goes to this machine': ' && !isOwn(address)',
  }),
  ...broken('src/platform/http-client/guarded-http-client.ts', 'e2e ssrf', {
    'all addresses of a name have to be public': [
      'if (!first || !addresses.every(',
      'if (!first || !addresses.some(',
    ],
    'all addresses of a name have to be public when it is saved': [
      'return !addresses.every(',
      'return !addresses.some(',
    ],
    'few names are looked up at once for who saves them':
      'if (this.looks >= LOOKS_MAX) return false;',
    'a literal address is checked': [
      'if (isIP(host) !== 0 && !this.isAllowed(host)) {',
      "if (host === '') {",
    ],
  }),
  ...broken('src/platform/http-client/guarded-http-client.ts', 'e2e webhook-abuse', {
    'of an answer only the beginning is read': [
      'if (size >= BODY_MAX_BYTES) break;',
      'if (size < 0) break;',
    ],
  }),
  ...broken('src/platform/http/bodies/bodies-under-way.ts', 'e2e api-bodies', {
    'a body that is only announced takes no memory from others': [
      'this.count(0, 1);',
      'this.count(announced, 1);',
    ],
    'the bodies of a client leave the most to its account': [
      'if (clientId !== null) holders.push(',
      'if (clientId === undefined) holders.push(',
    ],
    'a network has only so many bodies before sign-in': ' || use.bodies + bodies > maxBodies',
  }),
  ...broken('src/platform/http/http-adapter.ts', 'e2e intake-connections whole address', {
    'an address that was sent as a whole is read by its path': [
      'request.url = originForm(request.url);',
      "request.url ??= '/';",
    ],
  }),
  ...broken('src/platform/http/sends/send-stream.ts', 'unit send-stream', {
    'what fails before the first byte is answered with a problem':
      "    await once(content, 'readable');\n",
    'a problem is not offered as a download':
      "    if (!response.headersSent) response.removeHeader('Content-Disposition');\n",
    'a client that leaves is no failure': ["!== 'ERR_STREAM_PREMATURE_CLOSE'", "!== ''"],
  }),
  ...broken('src/platform/kernel/read-cache.ts', 'unit read-cache', {
    'rows that are in use are read anew before their copies end': [
      'if (copy.until <= now + AHEAD_MS) this.readAhead(now);',
      'if (copy.until <= now) this.readAhead(now);',
    ],
  }),
  ...broken('src/platform/kernel/text/normalise.ts', 'unit normalise', {
    'of a run of marks 30 are sorted': [
      "text.replace(LONG_RUN, '$1').normalize(form)",
      'text.normalize(form)',
    ],
  }),
  ...broken('src/platform/rate-limits/rate-limit.ts', 'unit rate-limit', {
    'a limit refuses what is over it': ['count.total >= this.quota', 'count.total > this.quota'],
    'a clock that is set back does not lengthen a window': ' || msLeft > this.windowMs',
    'a limit counts only so many keys': [
      'if (this.counts.size >= KEYS_MAX) {',
      'if (this.counts.size < 0) {',
    ],
  }),
  ...broken('src/platform/signed-links/signing.service.ts', 'e2e files', {
    'a link that was altered opens nothing': [
      'if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), expected.subarray(0, MAC_BYTES))) return null;',
      'if (expected.length === 0) return null;',
    ],
    'a link ends': ['return expiry * 1000 < now.getTime() ? null :', 'return expiry < 0 ? null :'],
  }),
  ...broken('src/platform/signed-links/signing.service.ts', 'unit signing', {
    'a link is good for its purpose alone': ['`${purpose}\\0`', 'purpose.slice(9)'],
  }),
];
