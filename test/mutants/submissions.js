import { broken } from './broken.js';

/** How submissions are taken in, stored, shown, exported and removed. */
export default [
  ...broken('src/forms/aliases/aliases.service.ts', 'e2e aliases', {
    'an old id stays with its account': ['if (accountId !== form.accountId)', 'if (accountId < 0)'],
  }),
  ...broken('src/deliveries/model/delivery.entity.ts', 'e2e mentions client', {
    'a client is not told of mentions of others': ['!this.isToPerson &&', 'true &&'],
  }),
  ...broken('src/jobs/exports/export-file.ts', 'e2e exports', {
    'each row of an export has a cell for each column': ['=> sign.repeat(all - cells) +', '=>'],
  }),
  ...broken('src/jobs/exports/export.service.ts', 'e2e export-streams Few exports', {
    'few exports at a time are sent to one': ['(this.counts.get(name) ?? 0) >= most', 'false'],
  }),
  ...broken('src/jobs/exports/export.service.ts', 'e2e export-streams', {
    'an export has long values too': ['* this.longer(formId, piece);', ' piece.filter(hasValues);'],
  }),
  ...broken('src/jobs/exports/export.service.ts', 'e2e export-jobs wait for their columns', {
    'rows that wait for their columns take no more of the disk than an account may have':
      'if (bytes > max) throw new ExportsFull();',
  }),
  ...broken('src/jobs/exports/export.service.ts', 'e2e filling-disk wait for their columns', {
    'rows that wait for their columns leave room on the disk': 'await this.assertRoom();',
  }),
  ...broken('src/jobs/exports/export.service.ts', 'e2e export-filters', {
    'an export begins at `from`': ['.id, filter, end', '.id, { ...filter, from: null }, end'],
    'an export leaves spam out': ['.id, filter, end', '.id, { ...filter, spam: null }, end'],
  }),
  ...broken('src/jobs/exports/export.service.ts', 'e2e export-streams', {
    'an export ends at the newest submission of when it was asked for': [
      '(form.id, filter, end',
      '(form.id, filter, Buffer.alloc(16, 255)',
    ],
  }),
  ...broken('src/jobs/exports/export-table.ts', 'e2e exports', {
    'an export has the chosen columns alone': ['this.grows = chosen === null', 'this.grows = true'],
  }),
  ...broken('src/submissions/files/file-store.ts', 'e2e filling-disk', {
    'an export ends before the disk is full': ['unchecked >= ROOM_CHECK_BYTES', 'unchecked < 0'],
  }),
  ...broken('src/submissions/files/file-store.ts', 'unit file-store', {
    'a received file is flushed': 'await file.sync();',
    'the folder of a kept file is flushed': [';\n    await flushFolder(shard);', ';'],
    'a full disk is said to be one': ["new Set(['ENOSPC', ", 'new Set(['],
  }),
  ...broken('src/submissions/files/files.service.ts', 'e2e files', {
    'a file that a submission has is not swept': ['await this.files.unknownAmong(ids)', 'ids'],
    'a young file is not swept': ['now.getTime() - ORPHAN_AGE_MS', 'now.getTime() + ORPHAN_AGE_MS'],
  }),
  ...broken('src/submissions/files/files.service.ts', 'e2e virus-scan', {
    'an infected file is opened by nobody': ['scan?.isLocked === true', 'false'],
  }),
  ...broken('src/submissions/files/files.service.ts', 'e2e virus-scan', {
    'no visitor waits for a clamd that was just silent': ['this.scanner.isSilent) {', 'false) {'],
  }),
  ...broken('src/forms/access/visible-forms.ts', 'e2e many-forms', {
    'charts of a client with many forms read what these forms have alone': [' CROSS ', ' INNER '],
    'the charts of a client count the forms of no other': [".client_id = ?'", ".client_id <> -?'"],
  }),
  ...broken('src/forms/model/field.ts', 'e2e field-rules', {
    'patterns that would take long are refused': ['steps <= STEPS_MAX ?', 'steps > 0 ?'],
  }),
  ...broken('src/forms/model/field.ts', 'unit field-pattern', {
    'what a submission would take too long to be matched with is not matched': ' || begin + needed > this.left',
  }),
  ...broken('src/forms/model/form-changes.ts', 'e2e presence', {
    'people of a client hear of presence of their own alone': [': `open ${clientId}`', ": 'open'"],
  }),
  ...broken('src/forms/model/form-values.ts', 'unit preview-learner', {
    'what a person chose for rows is never replaced by what was learnt': ' || decodePreview(text)',
  }),
  ...broken('src/clients/hosts/hosts.service.ts', 'e2e client-host', {
    'a host is proven before it serves a client': ['(missing !== null)', '(missing === undefined)'],
  }),
  ...broken('src/moving/imports/columns/column-plan.ts', 'e2e import-csv fields', {
    'no two columns of an import become one field': '&& !taken.has(field)',
  }),
  ...broken('src/moving/imports/import-worker.ts', 'e2e imports', {
    'an import skips what another one has stored': 'if (!isDuplicateRow(error)) ',
  }),
  ...broken('src/platform/background/job-worker.ts', 'e2e imports', {
    'an import that ends two processes is given up': ['job.deaths >= DEATHS_MAX', 'job.deaths > 99'],
  }),
  ...broken('src/moving/imports/reading/import-reader.ts', 'e2e import-csv order', {
    'one row of an import proves the order of day and month for all': 'if (time !== null) this.days.see(time);',
  }),
  ...broken('src/moving/imports/reading/json-rows.ts', 'unit reading', {
    'a row of an import that is deep is not parsed': ['depth > limits.depth', 'depth < 0'],
  }),
  ...broken('src/moving/imports/times/moments.ts', 'e2e import-csv order', {
    'dates with two readings are not guessed': ' || (time.date.isEither && order === null)',
  }),
  ...broken('src/intake/encodings/submission-limits.ts', 'e2e intake-limits', {
    'a value has a longest length': ['value.length <= this.maxValueBytesOf(name)', 'true'],
    'a name has a longest length': ['name.length <= this.maxNameBytes', 'true'],
  }),
  ...broken('src/intake/intake.ts', 'e2e intake-answers', {
    'an empty submission is refused': ['(isEmpty(sent)) throw', '(sent.members.length < 0) throw'],
  }),
  ...broken('src/intake/intake.ts', 'e2e intake-connections', {
    'an address has few submissions under way': ['mine > this.config.intake.maxConcurrentPerAddress', 'false'],
  }),
  ...broken('src/intake/model/special-fields.ts', 'e2e dialects', {
    'a redirect with values is not too long': ['longer.href.length > TARGET_MAX', 'false'],
    'a page sends its visitors to its own site alone': ['| isAllowed ? target : null', '| target'],
  }),
  ...broken('src/intake/model/special-fields.ts', 'e2e dialects', {
    'fields that name recipients are not stored': [
      "if (role !== null && role !== 'honeypot') {",
      "if (role === 'setting') kept.push(member);\n    else if (role !== null && role !== 'honeypot') {",
    ],
    'fields that name recipients are no honeypots': ["') {", "' && role !== 'setting') {"],
  }),
  ...broken('src/intake/model/special-fields.ts', 'e2e intake-spam', {
    'a filled honeypot is spam': ['honeypot ??= member.name;', 'honeypot ??= null;'],
  }),
  ...broken('src/intake/submission-source.ts', 'e2e corrections', {
    'a corrected answer is from the page before': 'isOurs ? carriedPage(page) : ',
    'a page says no more than its own address': ['from !== null && from', 'false && from'],
  }),
  ...broken('src/intake/submission-source.ts', 'e2e submission-source', {
    'only a trusted proxy tells the country': '|| !config.http.trustedProxies(peer, 0)',
  }),
  ...broken('src/jobs/changes/rejudging.service.ts', 'e2e rejudge', {
    'judging again overrules nobody': ['trash || done || ', 'trash && done && '],
    'what is decided meanwhile stays': ['isKept(submission, now, marks.get(key))', 'false'],
  }),
  ...broken('src/jobs/changes/rejudging.service.ts', 'e2e virus-scan', {
    'an infected file still holds what is judged again': ['infection ?', 'false ?'],
  }),
  ...broken('src/jobs/queue/export-job-worker.ts', 'e2e export-jobs', {
    'all files of exports go with what is erased, however many there are': ['while (', 'void ('],
    'what is erased is in no file of an export': ' afterCommit: () => this.forgetForm(formId) ',
  }),
  ...broken('src/jobs/queue/export-job-worker.ts', 'e2e export-jobs', {
    'an export begins anew when something is erased': ['> erasures', '> erasures && false'],
    'files of exports take no more than they may': 'if (bytes > max) throw new ExportsFull();',
  }),
  ...broken('src/jobs/queue/export-job-worker.ts', 'e2e export-mails known', {
    'who asked for an export is told at an address that is known to be theirs': ' && isVerified',
  }),
  ...broken('src/jobs/queue/export-files.service.ts', 'e2e export-jobs', {
    'no file of an export from before an erasure is opened': ['erasures <', 'NaN <'],
    'an export is for whoever sees the form': ['!(await this.formOf(principal, job))', 'false'],
    'a link to an export dies with the rights of its reader': ["!reader?.may('export')", 'false'],
  }),
  ...broken('src/jobs/queue/export-files.service.ts', 'e2e export-mails gone', {
    'a mail about an export goes to who sees its form still': ['seen?.includes(formId)', 'job'],
  }),
  ...broken('src/jobs/queue/bulk-jobs.service.ts', 'e2e bulk', {
    'a job ends where it ended when made': '.filter((id) => id.compare(upTo) <= 0)',
    'a job ends once who made it sees not all its forms':
      'if (await this.forms.find(formId)) throw new NoLongerAllowed();',
    'a job stores only while its lease is held': ['(await turn.keep(tx)) ||', 'true ||'],
  }),
  ...broken('src/platform/database/jobs.ts', 'e2e bulk was made for alone', {
    'a client sees the jobs that were made for it alone': ['clientId === null ?', 'true ?'],
  }),
  ...broken('src/moving/moves/moves.service.ts', 'e2e moves', {
    'a moved page keeps its honeypot': ['...(honeypot !== null && {', "...(honeypot === '' && {"],
  }),
  ...broken('src/deliveries/delivery-planner.ts', 'e2e spam', {
    'what a held submission causes waits': ['if (!hold) return planned;', 'return planned;'],
  }),
  ...broken('src/deliveries/delivery-planner.ts', 'e2e spam held submission', {
    'the visitor of what may be spam waits for a person': [': { ...each, ...hold }', ': each'],
  }),
  ...broken('src/deliveries/delivery-planner.ts', 'e2e visitor-mail', {
    'what a submission causes waits for its visitor': 'withheldUntil: UNTIL_RELEASED',
  }),
  ...broken('src/people/members/members.service.ts', 'e2e saved-views', {
    'days of a filter are those of the person who asks': [', address, timeZone', ', address'],
  }),
  ...broken('src/platform/html/read-html.ts', 'unit read-html', {
    'a page with too many elements is not read': ['++nodes > limits.nodes', '++nodes < 0'],
  }),
  ...broken('src/platform/http/sends/sends.ts', 'unit content-disposition', {
    'the name of a download is no path': ["name.replace(/^.*[/\\\\]/s, '')", 'name'],
  }),
  ...broken('src/platform/http/sends/sends.ts', 'e2e broken-downloads', {
    'a download that is not the whole file is cut': ['(sent !== size) throw', '(sent < 0) throw'],
  }),
  ...broken('src/platform/http/sends/sends.ts', 'e2e files', {
    'a download is never shown by a browser':
      "    'X-Content-Type-Options': 'nosniff',\n    'Content-Security-Policy': \"default-src 'none'; sandbox\",\n    'Cache-Control': 'private, no-store',\n",
  }),
  ...broken('src/platform/kernel/text/csv-line.ts', 'e2e exports', {
    'a cell that a spreadsheet would run is defused': "FORMULA.test(text) ? `'${within}` : ",
    'a separator within a cell is quoted': ['SPECIAL = /[",;\\t\\r\\n]/', 'SPECIAL = /["\\r\\n]/'],
  }),
  ...broken('src/platform/kernel/turns.ts', 'unit turns', {
    'exports take turns at the database': ['this.running < this.most', 'this.running < Infinity'],
  }),
  ...broken('src/platform/metrics/metrics.ts', 'e2e intake-connections', {
    'networks that are done are forgotten': 'if (left === 0) this.counts.delete(key);\n    else ',
  }),
  ...broken('src/forms/projections.ts', 'e2e leftovers', {
    'a purge that a stop cuts short goes on after the next start': [' && !signal?.aborted;', ';'],
  }),
  ...broken('src/reports/report-mails.service.ts', 'e2e reports', {
    'a monthly report is mailed to nobody who has yet to confirm': ' || !(await this.isReached(turn.job))',
  }),
  ...broken('src/mail/scheduled-mails.service.ts', 'e2e reports', {
    'a report goes to no address whose emails come back': ["row.stops('owner_email')", 'false'],
  }),
  ...broken('src/platform/background/job-worker.ts', 'e2e reports', {
    'a report that cannot be mailed is given up': ['tries >= TRIES_MAX ||', 'false ||'],
  }),
  ...broken('src/search/finder/submission-finder.ts', 'e2e many-forms', {
    'what an older version stored is found before any upkeep': ['this.rows.isComplete()', 'true'],
  }),
  ...broken('src/search/finder/account-rows.repository.ts', 'e2e many-forms', {
    'of many forms of an account a client sees what is in its own alone': ['seen !== null', 'true'],
  }),
  ...broken('src/search/finder/merged.ts', 'e2e counts', {
    'matches are counted up to a bound': ['&& ids.length >= countedMax;', '&& ids.length >= 1e9;'],
  }),
  ...broken('src/search/finder/merged.ts', 'e2e reading-abuse in a form', {
    'a search whose client has left ends with its statement': 'window.unwanted?.throwIfAborted();',
  }),
  ...broken('src/search/finder/merged.ts', 'e2e text-search answers what it has', {
    'nothing is shown beyond where one form was left': 'least ? found.filter(isKnown) : ',
  }),
  ...broken('src/search/finder/selection.ts', 'e2e few-statements', {
    'forms where nothing failed are left out by one statement': ['filter.failed', 'false'],
  }),
  ...broken('src/search/finder/selection.ts', 'e2e text-search honours folders', {
    'of several forms, those that wait for the index are searched': [
      'left = new Set([...found, ...indexed.waiting',
      'left = new Set([...found',
    ],
  }),
  ...broken('src/search/finder/search-gate.ts', 'e2e reading-abuse nothing behind', {
    'a search whose client has left waits no longer': "unwanted?.addEventListener('abort', leave);",
  }),
  ...broken('src/search/finder/search-gate.ts', 'unit search-gate', {
    'one search of a reader runs at a time': ' && !this.running.has(reader)',
  }),
  ...broken('src/search/finder/submission-finder.ts', 'e2e counts', {
    'a count that ended early is not taken for all': ['isExact, searchedTo:', 'true, searchedTo:'],
  }),
  ...broken('src/search/origins/origins.repository.ts', 'e2e warnings', {
    'only refused origins are warned of': "AND spam_code = 'origin' ",
  }),
  ...broken('src/search/previews/preview-learner.ts', 'unit preview-learner', {
    'what is the same everywhere tells little': ['different < CHOICES_MIN &&', 'false &&'],
  }),
  ...broken('src/search/texts/text-search.ts', 'e2e text-search thousands', {
    'the last group of a block is searched too': ["next] : ['<=', lastId", "next] : ['<', firstId"],
  }),
  ...broken('src/search/texts/text-scan.ts', 'e2e text-search honours folders', {
    'a search finds what has all words': [".join(' AND ');", ".join(' OR ');"],
  }),
  ...broken('src/search/texts/block-builder.ts', 'e2e text-search goes with it', {
    'a text goes in the transaction of its row': 'await this.texts.in(tx).remove(formId, ids);',
  }),
  ...broken('src/search/texts/text-scan.ts', 'e2e reading-abuse no more than it has time', {
    'a search says after each piece of long values how far it is':
      'if (last) yield upTo(looked.findIndex(({ id }) => id.equals(last)) + 1, last);',
  }),
  ...broken('src/search/texts/text-scan.ts', 'e2e text-search older version', {
    'a search finds what has no text yet': ['=> matches === null', '=> matches === true'],
  }),
  ...broken('src/search/texts/text-scan.ts', 'e2e text-search thousands', {
    'forms are gone on with where they have more': ['=== MATCHES_OF_EACH', '> MATCHES_OF_EACH'],
  }),
  ...broken('src/search/texts/text-search.ts', 'e2e text-search', {
    'imported submissions that wait for the index are found by words': ['=== 0', '< 1e9'],
  }),
  ...broken('src/search/texts/text-search.ts', 'e2e text-search thousands', {
    'what came after the last block is searched too': ["['>', end]", "['<', end]"],
  }),
  ...broken('src/search/values/value-index.ts', 'e2e value-exists very many', {
    'a value that many have is read to its first hit alone': ['= 500;', '= 50_000;'],
  }),
  ...broken('src/search/values/values.service.ts', 'unit values.service', {
    'what one transaction leaves is counted next': 'await this.batches.in(tx).enqueue(later);',
    'upkeep leaves what comes meanwhile to its next run': ['isMore = !isAll', 'isMore = taken > 0'],
  }),
  ...broken('src/search/values/values.service.ts', 'e2e value-exists', {
    'spam and the trash are not looked through for a value': ['submission.isCounted', 'submission'],
  }),
  ...broken('src/search/visitors/visitors.service.ts', 'e2e few-statements', {
    'forms where a person sent nothing are left out': '.filter(({ id }) => left.includes(id))',
  }),
  ...broken('src/spam/captcha/captcha-verifier.ts', 'e2e captcha', {
    'a captcha counts on the pages of the form alone': ['!takesHost(domains, host)', 'false'],
  }),
  ...broken('src/spam/captcha/captcha-verifier.ts', 'e2e captcha', {
    'what a provider of captchas does not answer is held': ', holds: true',
  }),
  ...broken('src/spam/email-domain/mail-domains.service.ts', 'e2e spam-addresses', {
    'a DNS that does not answer says nothing against an address': ['throw error;', 'return [];'],
  }),
  ...broken('src/spam/evidence/spam-evidence.ts', 'e2e captcha', {
    'a captcha is verified once in a request': ['this.outcome ??=', 'this.outcome ='],
  }),
  ...broken('src/spam/evidence/spam-evidence.ts', 'e2e spam sent over and over', {
    'a form token that is sent over and over speaks for spam': ['> USES_MAX', '< 0'],
  }),
  ...broken('src/spam/evidence/verdict.ts', 'e2e spam statistics', {
    'statistics keep what signals said': 'if (this.before !== null) return this.before;',
  }),
  ...broken('src/spam/external/external-filter.ts', 'e2e spam-filters', {
    'a spam filter that does not answer changes no verdict': [
      'return null;\n    }\n  };',
      "return settings.part(this.name, '');\n    }\n  };",
    ],
  }),
  ...broken('src/spam/history/spam-history.ts', 'unit spam-history', {
    'what was not stored is no repetition when it is sent again': ['?.forget(fingerprint);', ';'],
  }),
  ...broken('src/spam/judge/spam-judge.ts', 'e2e captcha', {
    'a captcha is verified only when the rest is no spam': ['(!isSettled) parts', '(parts) parts'],
  }),
  ...broken('src/spam/judge/spam-settings.ts', 'e2e virus-scan', {
    'the hold of an infected file has no end': 'infection !== null || ',
  }),
  ...broken('src/spam/learning/spam-lessons.service.ts', 'unit learned-signal', {
    'submissions that come at once are judged by the models of their own forms': '.filter(judges)',
  }),
  ...broken('src/spam/learning/spam-lessons.service.ts', 'e2e spam-learning', {
    'people of a client do not reset what the spam filter learnt': ['clientId !== null', 'clientId === -1'],
  }),
  ...broken('src/spam/learning/spam-lessons.service.ts', 'e2e spam-learning', {
    'people of a client teach the filter for their forms alone': [': formId', ': ALL_FORMS'],
  }),
  ...broken('src/spam/proof-of-work/proofs-of-work.service.ts', 'e2e proof-of-work', {
    'a solution is good for its form alone': ' || data?.form !== identifier',
  }),
  ...broken('src/spam/signals/origin.ts', 'e2e intake-spam', {
    'a domain that is not listed is spam': ['allowsOrigin(settings.allowedDomains, from)', 'from'],
    'a wildcard takes the hosts below alone': ['entry.slice(1)', 'entry.slice(2)'],
  }),
  ...broken('src/spam/signals/proof-of-work.ts', 'e2e proof-of-work', {
    'what lacks a required proof is held': 'settings.proofRequired ? { ...part, holds: true } : ',
  }),
  ...broken('src/statistics/counting.service.ts', 'e2e facets', {
    'values that few have sent are not kept by name': ['haveSent(NAMED_FROM', 'haveSent(0'],
    'items beyond the first have no name': ['items < NAMED_MAX', 'items < 1e9'],
  }),
  ...broken('src/statistics/facets.service.ts', 'e2e facets', {
    'a field is shown while half of it has a name': ['|| named < found.other', ''],
  }),
  ...broken('src/statistics/counters.repository.ts', 'e2e facets', {
    'a value that came again later keeps its name': ['amount = amount +', 'text = NULL, amount = amount +'],
  }),
  ...broken('src/submissions/acts/submission-acts.repository.ts', 'e2e timeline', {
    'a timeline keeps the last acts alone': ['of full', 'of full.slice(full.length)'],
  }),
  ...broken('src/submissions/erasure/erasure.service.ts', 'e2e submission-marks', {
    'deleting moves the count': ['counted, bytes: fileBytes', 'counted: 0, bytes: fileBytes'],
    'deleting a submission removes its files': 'await afterCommit?.();',
  }),
  ...broken('src/submissions/erasure/erasure.service.ts', 'e2e value-exists small transactions', {
    'what is erased by request is erased in small transactions': ['(from, from + rows)', '(from)'],
  }),
  ...broken('src/submissions/erasure/leftovers.repository.ts', 'e2e leftovers', {
    'what belongs to a submission that is there stays': ['!known.has(keyOf(id))', 'keyOf(id)'],
  }),
  ...broken('src/submissions/erasure/erasure.service.ts', 'e2e leftovers', {
    'what an older version leaves of a submission is removed': ['this.tables())', 'this.tables().slice(0, 0))'],
    'a form is purged once more when rows of it are left': ['left.length > 0', 'left.length > 1e9'],
  }),
  ...broken('src/submissions/erasure/erasure.service.ts', 'e2e purge', {
    'retention is counted in days': ['now.getTime() - retentionDays * DAY_MS', 'now.getTime()'],
    'a form is not purged before stragglers came': ['requestSeconds + STRAGGLERS_SECONDS', '0'],
    'purging forgets all else of a form': ['await this.projections.forgetForm(id, signal)', 'true'],
  }),
  ...broken('src/submissions/filter/filter-line.ts', 'unit filter-line', {
    'a name in quotes is that of a field': ['key, value:', 'key: unquoted(key), value:'],
  }),
  ...broken('src/submissions/filter/submission-filter.ts', 'e2e submissions before another', {
    'a list ends before `to`': "if (to) add('id < ?', firstUuidAt(to));",
  }),
  ...broken('src/submissions/model/preview.ts', 'unit preview', {
    'the fields that an owner chose are what rows show': ['(bold)', '(bold && filled.length < 0)'],
  }),
  ...broken('src/submissions/model/submission.entity.ts', 'e2e outbox', {
    'spam that was marked by hand is not delivered again': ' && !HAD_DELIVERIES.has(this.spamCode)',
  }),
  ...broken('src/submissions/model/submission.entity.ts', 'e2e rejudge', {
    'what was delivered before it was judged to be spam is not delivered again': ', JUDGED_AGAIN',
  }),
  ...broken('src/submissions/rows/submission-ids.ts', 'e2e page-numbers away', {
    'a page is found by its number in steps': ['STEP_ROWS = 20_000;', 'STEP_ROWS = 2_000_000;'],
  }),
  ...broken('src/submissions/rows/submission-ids.ts', 'e2e scale', {
    'a statement begins at the tightest of its bounds': ['.lower.slice(0, 1), ...', '.lower, ...'],
  }),
  ...broken('src/submissions/rows/submission-ids.ts', 'e2e submission-pages', {
    'a page begins right behind a submission': ["+ 1, 0, ['<', before]", "+ 1, 0, ['<=', before]"],
    'a page right before a submission ends at it': ["1, 0, ['>', after]", "1, 0, ['>=', after]"],
  }),
  ...broken('src/submissions/rows/submission-ids.ts', 'e2e triage found on every page', {
    'several folders are one list in the order of time': ["ALL ')} ORDER BY id ${order", "ALL ')"],
  }),
  ...broken('src/submissions/rows/submissions.repository.ts', 'e2e facets', {
    'a page and an origin in one filter are both asked for': [
      'lookups.every(({ isFrom }) => isFrom?.(place))',
      'lookups.some(({ isFrom }) => isFrom?.(place))',
    ],
    'values are read where a filter asks for one besides a page': [
      'if (lookups.every(({ isFrom }) => isFrom)) {',
      'if (lookups.some(({ isFrom }) => isFrom)) {',
    ],
  }),
  ...broken('src/submissions/rows/submissions.repository.ts', 'e2e scale', {
    'a folder is counted up to a bound': ['parameters, max + 1)', 'parameters, 1e9)'],
  }),
  ...broken('src/submissions/storage/idempotency.ts', 'e2e intake-gate', {
    'a form takes no more submissions than its owner says': ['THEN NULL ELSE', 'THEN 1 ELSE'],
  }),
  ...broken('src/submissions/storage/submission-intake.service.ts', 'e2e field-rules', {
    'what breaks the rules of its form is refused before it is stored': ['> 0 && !', '> 99 && !'],
  }),
  ...broken('src/submissions/storage/idempotency.ts', 'e2e intake-idempotency', {
    'what was sent for one key is compared': ['!found.contentHash.equals(contentHash)', 'false'],
    'parallel requests are each looked at': ['await first.catch(() => undefined)', 'return first'],
    'a key is forgotten after a day': ['() <= Date.now() - IDEMPOTENCY_TTL_MS', '() < 0'],
  }),
  ...broken('src/submissions/storage/idempotency.ts', 'e2e purge bounded size', {
    'expired keys go in portions': ['const DELETE_ROWS = 200;', 'const DELETE_ROWS = 20_000;'],
  }),
  ...broken('src/submissions/rows/received.ts', 'e2e facets', {
    'marks change the counts of pages of what was counted': ['countedBy, by', 'countedBy, 0 * by'],
  }),
  ...broken('src/submissions/storage/submission-inserts.ts', 'e2e proof-of-work', {
    'a solution counts once, also for another instance': '...spentSolutionInserts(submissions),',
  }),
  ...broken('src/submissions/storage/submission-intake.service.ts', 'e2e lost-answers', {
    'files that may have been stored stay': ['files.mayBeStored && !isRefusal', 'false'],
    'files of what is refused go': ['= files.mayBeStored && !isRefusal;', '= files.mayBeStored;'],
  }),
  ...broken('src/submissions/storage/submission-intake.service.ts', 'e2e proof-of-work', {
    'a spent solution costs nobody a submission': ['!(error instanceof SolutionSpent)', 'true'],
  }),
  ...broken('src/submissions/storage/submission-queue.ts', 'unit submission-writer', {
    'no more wait than can be stored soon': ['Math.max(QUEUE_WAIT_MS / ms, 1)', 'Infinity'],
    'what is given up leaves the bytes of the queue': ';\n    this.bytes -= entry.submission.bytes',
  }),
  ...broken('src/submissions/storage/submission-writer.ts', 'unit submission-writer', {
    'a lost commit is looked up': 'if (await this.submissions.isStored(first.id)) return;',
    'a retry leaves out who was answered': ['.filter(({ answered }) => !answered).', '.'],
    'what is given up leaves the queue': 'this.queue.remove(entry);',
    'the end waits for what is being stored': ['this.running, ...this.apart.', '...this.apart.'],
    'a visitor is answered in five seconds': ['= 5_000', '= 50_000'],
  }),
  ...broken('src/submissions/storage/submission-writer.ts', 'unit submission-writer-batches', {
    'a form whose row stays locked stays apart': ['.set(formId, null);', '.delete(formId);'],
    'the embedded database rests between transactions of several': ['this.unitOfWork.isEmbedded && ', 'false && '],
    'a bad row does not fail its neighbours': [
      'else if (batch.length === 1) batch[0]?.settle(refusalOf(error));',
      'else if (batch.length > 0) for (const one of batch) one.settle(refusalOf(error));',
    ],
    'many in one transaction are load': ['this.lastItems >= items', 'this.lastItems < 0'],
    'on the embedded database three in one transaction are load': ['embedded: 3', 'embedded: 10'],
  }),
  ...broken('src/submissions/submission-marks.service.ts', 'e2e submission-marks', {
    'a mark moves the count': 'await this.forms.addToCount(tx, formId, counted);',
  }),
  ...broken('src/submissions/submission-marks.service.ts', 'e2e virus-scan', {
    'only who may change the form unlocks infected files': ' || !mayChange(principal, form)',
  }),
  ...broken('src/submissions/verdicts/verdicts.service.ts', 'e2e spam', {
    'what is marked as spam causes nothing any more': ['spam && !before.spam', 'false'],
  }),
  ...broken('src/submissions/verdicts/verdicts.service.ts', 'e2e spam held submission', {
    'what was held is clean once its hold is over': ['row.verdict.released()', 'row.verdict'],
  }),
  ...broken('src/triage/notes/submission-note.entity.ts', 'e2e leftovers', {
    'a table with rows of submissions has somebody who forgets them': "@GoesWith<SubmissionNote>('submissionId')",
  }),
  ...broken('src/triage/notes/notes.service.ts', 'e2e mentions client', {
    'a note mentions those whom its writer knows': [
      '(PeopleDirectory).whoSees(principal, form',
      '(PeopleDirectory).whoSees({ ...principal, clientId: null }, form',
    ],
  }),
  ...broken('src/triage/notes/notes.service.ts', 'e2e triage', {
    'a note is put back only soon': ['this.unitOfWork.now().getTime() - RESTORABLE_MS', '0'],
    'people of a client remove their own notes alone': ['return clientId === null', 'return true'],
    'only who may remove a note puts it back': [
      'noteId, since));\n      if (!note || !mayRemove(principal, note))',
      'noteId, since));\n      if (!note)',
    ],
  }),
  ...broken('src/triage/presence/presences.repository.ts', 'e2e presence', {
    'what was left late takes nothing back': ['({ personId, submissionId })', '({ personId })'],
  }),
  ...broken('src/triage/read-state/unread-counts.service.ts', 'e2e many-forms', {
    'unread counts are told page by page': ['lists.few(principal)', 'forms.list(principal, null)'],
  }),
  ...broken('src/triage/timeline/timeline.service.ts', 'e2e timeline', {
    'people of a client read of the acts of nobody else': ['=== clientId', '!== undefined'],
  }),
  ...broken('src/visitor-pages/refused.page.tsx', 'e2e refused-answers-browser', {
    'the page with refused answers offers to send only what the form takes from there': ' && !asksForProof',
  }),
  ...broken('src/health/watch/refusals.service.ts', 'e2e refusals', {
    'refusals name fields of rules alone': ' && form.fields.of(first.field)',
  }),
  ...broken('src/statistics/waiting-counts.service.ts', 'e2e refusals', {
    'refusals that are not stored stay counted': 'for (const each of all) this.wait(each);',
  }),
  ...broken('src/visitor-pages/visitor-pages.controller.ts', 'e2e visits', {
    'visits to pages that the form does not take are not counted': [
      '!isOwn && !allowsOrigin(form.whitelistedDomains',
      '!isOwn && !allowsOrigin(null',
    ],
    'visits use up nothing of what submissions may': ["admit('visits'", "admit('address'"],
  }),
  ...broken('src/submissions/model/submission.entity.ts', 'e2e visits', {
    'spam is taken from its campaign': ['facetsOf(this, this.payload.length, this.facets)', 'facetsOf(this, 0, 1)'],
  }),
  ...broken('src/visitor-pages/browser/f.ts', 'e2e script-browser', {
    'a form that is sent in place is sent once for two clicks': 'if (isBusy) return;',
    'a form that is sent in place keeps its key until it has an answer': ['(key ??= ', '(key = '],
    'a form that was changed after a lost answer is another submission':
      'lost answer it is another submission.\n      key = undefined;',
    'the token of who was quick says nothing on an old page': ['now - askedAt > FAST_MS', 'true'],
  }),
  ...broken('src/web/forms/settings-typed.ts', 'e2e (?:intake-gate|web-settings)', {
    'a setting that nobody typed over stays as it is': ['digest(text) !== before[key]', 'key'],
    'nobody overwrites unseen what others saved meanwhile': [
      'if (crossed.length > 0) throw',
      'if (crossed.length < 0) throw',
    ],
  }),
  ...broken('src/web/browser/pages.ts', 'e2e web-fit', {
    'a part of a page that renews itself keeps the focus': ['[at]?.focus()', '[at]'],
  }),
  ...broken('src/web/submission/submission.controller.ts', 'e2e web-together', {
    'tags that others changed meanwhile stay': ["typed && 'shown' in typed ?", 'false ?'],
  }),
  ...broken('src/web/submission/values.tsx', 'e2e web-values', {
    'the page of a submission cuts long values': ['Math.min(VALUE_MAX, left)', 'whole.length'],
    'values that a page cuts leave no more than a share of it to all of them': [' -= ', ' -= 0 * '],
  }),
  ...broken('src/triage/marks/triage.service.ts', 'e2e statuses', {
    'a submission has one status at most': ['each !== mark && held.has(each)', 'false'],
  }),
];
