import { broken } from './broken.js';

/** Rules of deliveries: emails, webhook calls, and their workers. */
export default [
  ...broken('src/deliveries/deliveries.repository.ts', 'e2e mail-delivery The delivery log', {
    'pruning leaves what is younger': '.andWhere({ settledAt: LessThan(time) })',
  }),
  ...broken('src/deliveries/digests/digests.repository.ts', 'e2e owner-digest', {
    'a digest holds the mails of its own account': ['SELECT g.account_id', 'SELECT f.account_id'],
  }),
  ...broken('src/deliveries/digests/digests.service.ts', 'e2e owner-digest', {
    'a digest tells of nothing that is spam or held by now': ['kept.length ===', 'kept.length >='],
    'an owner gets one digest of many mails': ['(delivery, cap);', '(delivery, 1_000_000);'],
  }),
  ...broken('src/deliveries/holds/holds.repository.ts', 'e2e mail-delivery is given up after ten tries', {
    'given up deliveries are revived from the start of the schedule': ', scheduledAttempts: 0',
  }),
  ...broken('src/deliveries/deliveries.repository.ts', 'e2e delivery-statistics', {
    'a change of the counts is made by one instance': 'if (affected !== found.length) throw new ChangesTaken();',
  }),
  ...broken('src/deliveries/model/outcome.ts', 'e2e delivery-statistics', {
    'what was delivered stays so in the statistics': ["before === 'delivered' ||", 'false ||'],
    'what failed counts no longer as failed once it is delivered': '...change(before, -1), ',
  }),
  ...broken('src/deliveries/model/receivers.ts', 'e2e webhook-fairness', {
    'what one account does to a host delays no other account': ['http:${accountId}:$', 'http:0:$'],
  }),
  ...broken('src/deliveries/queue/delivery-queue.repository.ts', 'e2e delivery-claims', {
    'a claim is guarded by the state': ['{ id: In(ids), state },', '{ id: In(ids) },'],
    'a worker that lost its lease settles nothing': ['({ id, leaseToken: token })', '({ id })'],
  }),
  ...broken('src/deliveries/queue/delivery-queue.repository.ts', 'e2e webhook-crash', {
    'a lease ends': ['`${column} < ${now}`', '`${column} > ${now}`'],
  }),
  ...broken('src/deliveries/queue/delivery-worker.ts', 'e2e webhook-crash', {
    'what is lost three times fails': ['>= LOST_MAX - 1', '> 1_000'],
  }),
  ...broken('src/deliveries/queue/delivery-worker.ts', 'e2e webhook-crash', {
    'what was lost twice is tried alone': ['suspects.filter((id) => id !== suspect)', '[]'],
  }),
  ...broken('src/destinations/destination-channel.ts', 'e2e destinations', {
    'an answer that repeats a secret is stored without it': '.replaceAll(spelling, HIDDEN)',
  }),
  ...broken('src/destinations/destination-opener.ts', 'e2e destinations', {
    'a destination leads to no private address': ['!(await this.http.leadsInside(url))', 'true'],
  }),
  ...broken('src/destinations/destination-planner.ts', 'e2e destination-mails', {
    'nobody gets two mails for one submission': 'if (key !== null && before.has(key)) continue;',
  }),
  ...broken('src/destinations/destinations.repository.ts', 'e2e destinations', {
    'a form sends nothing to a destination that it leaves out': ['filter(({ id }) => !isExcluded(id))', 'slice()'],
  }),
  ...broken('src/destinations/destination-planner.ts', 'e2e destinations', {
    'a destination gets a submission once': ['!served.has(servedAs(each))', 'true'],
  }),
  ...broken('src/destinations/destination-planner.ts', 'e2e owner-digest', {
    'who is told at once is told by no digest': ['+ gathers;', '- gathers;'],
  }),
  ...broken('src/destinations/model/kind-settings.ts', 'e2e destination-mails', {
    'a line of recipients gets what has its value': ['known.has(folded(value))', 'folded(value) !== ""'],
  }),
  ...broken('src/destinations/model/condition.ts', 'e2e destinations', {
    'spam goes to no destination that does not ask for it': 'asksFor(choice, band) && ',
    'a destination gets what its conditions choose': ["? 'at once' : '", "|| true ? 'at once' : '"],
  }),
  ...broken('src/destinations/model/kind-settings.ts', 'e2e destinations', {
    'a destination is led elsewhere only with its secrets': ['!isElsewhere ||', 'true ||'],
  }),
  ...broken('src/forms/forms.repository.ts', 'e2e deleted-forms', {
    'a delivery of a deleted form is not made': ['({ id, deletedAt: IsNull() });', '({ id });'],
  }),
  ...broken('src/mail/mailer.ts', 'e2e mail-delivery', {
    'a refusal for good is not tried again': ['>= 500 && aboutTheMail', '>= 600 && aboutTheMail'],
  }),
  ...broken('src/mail/mailer.ts', 'e2e submitter-mail', {
    'a visitor gets only so many mails': ['count: capPerRecipientDay', 'count: 1_000_000'],
    'a form sends visitors only so many mails': ['count: capPerFormHour', 'count: 1_000_000'],
  }),
  ...broken('src/mail/parts/message.ts', 'unit mail/parts/template', {
    'values of a visitor do not make a mail endless': '.slice(0, room)',
  }),
  ...broken('src/platform/background/tasks.ts', 'unit task-runner', {
    'tasks run with WORKERS=on': ["deliveries.workers === 'off'", "deliveries.workers !== 'only'"],
    'no task runs with WORKERS=off': "if (this.config.deliveries.workers === 'off') return;",
    'nobody begins a task that is under way': ['aborted || this.running.has(task.name)', 'aborted'],
  }),
  ...broken('src/destinations/model/destination.entity.ts', 'e2e webhook-disabling', {
    'a webhook is paused after five days of failures': ['= 5 * DAY_MS', '= 50 * DAY_MS'],
    'a success ends the failures': ['this.failingSince = null;\n      return', 'return'],
  }),
  ...broken('src/destinations/kinds/kinds.ts', 'e2e webhooks', {
    'the former secret signs for a day alone': ['new Date(until) > now ?', 'until ?'],
  }),
  ...broken('src/destinations/kinds/signatures.ts', 'e2e webhooks', {
    'a webhook call is signed': ['`${id}.${timestamp}.${body}`', '`${id}.${body}`'],
  }),
  ...broken('src/destinations/destination-channel.ts', 'e2e webhook-disabling', {
    'a paused webhook is not called': 'if (destination.isPaused) return destinationPaused();',
    'a call of an earlier address says nothing': ["(kind === 'webhook' && recipient !== form.webhookUrl)", 'false'],
  }),
];
