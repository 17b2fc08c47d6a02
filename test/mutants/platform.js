import { broken } from './broken.js';

/** Rules of the platform: database, links, limits, calls and answers. */
export default [
  ...broken('src/clients/brands/brands.service.ts', 'e2e brand', {
    'a changed brand is shown at once': 'this.cache.forget(String(accountId));',
  }),
  ...broken('src/docs/guides.ts', 'e2e docs link', {
    'a link of a guide to a file that is not served is plain text': 'if (address === undefined) return label;',
  }),
  ...broken('src/docs/markdown.ts', 'e2e docs link', {
    'two headings of one name have two anchors': ['times === 0 ? name', 'true ? name'],
  }),
  ...broken('src/docs/search.ts', 'e2e docs search', {
    'a search of the documentation leaves out words that say nothing': 'if (STOP_WORDS.has(lower)) return null;',
    'it puts what has most words first': ['b.queryTerms.length - a.queryTerms.length', '0'],
    'it prefers headings': 'boost: { heading: 4, title: 2 },',
    'it prefers guides': ['0.6 : 1', '1 : 1'],
    'it takes small mistakes': ['0.2 : false', 'false : false'],
    'it shows twenty sections': ['.slice(0, RESULTS_MAX)', ''],
  }),
  ...broken('src/docs/docs.ts', 'e2e docs page', {
    'a page is Markdown for who asks for it': [" || request.accepts('html', 'text/markdown') === 'text/markdown'", ''],
    'an unknown page of the documentation is 404': 'if (!page) throw new RouteNotFound();',
  }),
  ...broken('src/mcp/mcp.controller.ts', 'e2e strangers', {
    'agents of pages of other sites are refused': ['origin !== undefined && ', 'false && '],
    'a batch of messages is refused': ['Array.isArray(body)', 'false'],
  }),
  ...broken('src/mcp/agent-server.ts', 'e2e agents', {
    'a tool is there for who has its right': ['principal.has(right)', 'true'],
    'a client that may not create forms has no tool for it': ["right === 'forms:create' && ", 'false && '],
  }),
  ...broken('src/mcp/fence.ts', 'e2e strangers', { 'a long answer is cut': ['whole.length <= TEXT_MAX', 'true'] }),
  ...broken('src/people/auth/bearer.guard.ts', 'e2e limits', {
    'a call of a tool counts once': ['!isInner(request.socket)', 'true'],
  }),
  ...broken('src/forms/access/may-change.ts', 'e2e set-up-tokens', {
    'who chooses where submissions go may read them': "principal.assertHas('submissions:read');",
  }),
  ...broken('src/forms/forms.service.ts', 'e2e ensured-forms', {
    'a form of this name is found and not made again': ['return known\n', 'return false\n'],
  }),
  ...broken('src/operations/health/health.service.ts', 'e2e health', {
    'an instance without an account is not ready': ['!this.hasAccount) throw', 'false) throw'],
  }),
  ...broken('src/platform/background/tasks.ts', 'unit pace', {
    'upkeep rests the longer the more visitors need': ['1 - FREE - others', '1 - FREE'],
    'upkeep rests as long as it worked while visitors are there': 'others > THERE ? ms * rests : ',
    'pieces of all upkeep have their turns one after the other': ['Turns(1)', 'Turns(Infinity)'],
  }),
  ...broken('src/platform/background/tasks.ts', 'unit portions', {
    'a portion that took long is followed by a smaller one': ' / Math.max(cpuMs, 1)',
  }),
  ...broken('src/platform/database/database-status.ts', 'e2e migrations has the whole database', {
    'migrations wait for who has the embedded database to itself': ['!isRetryable(error)', 'true'],
  }),
  ...broken('src/platform/database/database-status.ts', 'e2e migrations wait for the one', {
    'the migration lock is waited for': ['while (!(', 'if (!('],
  }),
  ...broken('src/platform/database/database-status.ts', 'e2e upgrade ran each migration by itself', {
    'a database between two releases is refused': ['!done.includes(whole)', 'false'],
    'it is refused before it is backed up': '    await refuseUnreleased(database);',
  }),
  ...broken('src/platform/database/database-status.ts', 'e2e upgrade A database', {
    'it is refused where migrations are off': ['await refuseUnreleased(database);\n  if', 'if'],
    'a database of a newer version is refused': ['> newest', '> Infinity'],
  }),
  ...broken('src/platform/database/unit-of-work.ts', 'e2e unit-of-work', {
    'embedded transactions wait for each other': ['this.last.then(', 'Promise.resolve().then('],
  }),
  ...broken('src/platform/database/unit-of-work.ts', 'unit unit-of-work', {
    'a deadlock is tried again': ['attempt === MAX_ATTEMPTS || !isRetryable(error)', 'attempt > 0'],
    'a deadlock is not tried for ever': ['=== MAX_ATTEMPTS ||', '=== 2 * MAX_ATTEMPTS ||'],
    'another error is not tried again': ['|| !isRetryable(error)', '|| error === null'],
  }),
  ...broken('src/platform/http-client/guarded-http-client.ts', 'unit address-guard', {
    'no call goes to an address that leads inwards': ' && !isIn(address, DENIED)',
  }),
  ...broken('src/platform/http-client/guarded-http-client.ts', 'unit own-address', {
    'no call goes to this machine': ' && !isOwn(address)',
  }),
  ...broken('src/platform/http-client/guarded-http-client.ts', 'e2e ssrf', {
    'all addresses of a name have to be public': ['|| !addresses.every', '|| !addresses.some'],
    'all addresses of a name have to be public when it is saved': [
      'return !addresses.every(',
      'return !addresses.some(',
    ],
    'few names are looked up at once': 'if (this.looks >= LOOKS_MAX) return false;',
    'a literal address is checked': ['this.isAllowed(host)) {', 'true) {'],
  }),
  ...broken('src/platform/http-client/guarded-http-client.ts', 'e2e webhook-abuse', {
    'of an answer only the beginning is read': ['if (size >= BODY_MAX_BYTES)', 'if (size < 0)'],
  }),
  ...broken('src/platform/http/bodies/bodies-under-way.ts', 'e2e api-bodies', {
    'a body that is only announced takes no memory from others': ['(0, 1);', '(announced, 1);'],
    'the bodies of a client leave the most to its account': ['!== null', '=== undefined'],
    'a network has only so many bodies before sign-in': ' || use.bodies + bodies > maxBodies',
  }),
  ...broken('src/platform/http/http-adapter.ts', 'e2e intake-connections whole address', {
    'an address sent as a whole is read by its path': 'request.url = originForm(request.url);',
  }),
  ...broken('src/platform/http/sends/sends.ts', 'unit send-stream', {
    'what fails before the first byte is a problem': "await once(content, 'readable');",
    'a problem is not offered as a download': ['!response.headersSent', 'false'],
    'a client that leaves is no failure': ["!== 'ERR_STREAM_PREMATURE_CLOSE'", "!== ''"],
  }),
  ...broken('src/platform/kernel/read-cache.ts', 'unit read-cache', {
    'rows that are in use are read anew before their copies end': [
      'getRemainingTTL(key) <= AHEAD_MS',
      'getRemainingTTL(key) <= 0',
    ],
    'a token is remembered for a second': ['options.ttl = ', 'options.ttl = 1e6 + '],
  }),
  ...broken('src/platform/kernel/text/text.ts', 'unit text keeps the first', {
    'of a run of marks 30 are sorted': ["text.replace(LONG_RUN, '$1').normalize", 'text.normalize'],
  }),
  ...broken('src/platform/rate-limits/rate-limits.ts', 'unit rate-limit', {
    'a clock that is set back does not lengthen a window': ' || msLeft > this.windowMs',
  }),
  ...broken('src/platform/rate-limits/rate-limits.ts', 'e2e rate-limits An address', {
    'a limit refuses what is over it': ['count.total >= this.quota', 'count.total > this.quota'],
  }),
  ...broken('src/platform/rate-limits/rate-limits.ts', 'unit rate-limit', {
    'a limit counts only so many keys': ['this.counts.size >= KEYS_MAX', 'this.counts.size < 0'],
  }),
  ...broken('src/platform/signed-links/signing.service.ts', 'e2e files', {
    'a link that was altered opens nothing': ['!timingSafeEqual(', '!Boolean('],
    'a link ends': ['return expiry * 1000 < now.getTime() ? null :', 'return expiry < 0 ? null :'],
  }),
  ...broken('src/platform/signed-links/signing.service.ts', 'unit signing', {
    'a link is good for its purpose alone': ['`${purpose}\\0`', 'purpose.slice(9)'],
  }),
];
