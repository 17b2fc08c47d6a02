import { Injectable, Logger } from '@nestjs/common';
import { DestinationsService } from '../destinations/destinations.service.js';
import { noticeMail } from '../mail/messages/person-mails.js';
import { MailOf } from '../mail/mail-channel.js';
import { sentBy, type Message } from '../mail/parts/message.js';
import { Readers } from '../mail/readers.js';
import { Config } from '../platform/config/config.js';
import type { Form } from '../forms/model/form.entity.js';
import { RECEIVED } from '../submissions/filter/submission-filter.js';
import { pageOf } from '../submissions/model/page-address.js';
import { SubmissionIds } from '../submissions/rows/submission-ids.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { CanaryService } from '../canary/canary.service.js';
import { failureIn } from '../canary/model/step.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { Delivery, PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { alarmMail, type AlarmTold } from '../mail/messages/form-mails.js';
import { RecipientsService } from '../deliveries/recipients/recipients.service.js';
import { BackgroundTask, type TaskRun } from '../platform/background/task-runner.js';
import { inPortions } from '../platform/background/leased-work.js';
import { runStatements } from '../platform/database/sql.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ageAt, DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/kernel/time.js';
import { makeUuid } from '../platform/kernel/uuid.js';
import { Projected, type Projection } from '../projections/projections.js';
import { WarningsService, type WarnedForm } from '../warnings/warnings.service.js';
import type { Warning, WarningCode } from '../warnings/warning.js';
import type { FormWatch } from '../watch/model/form-watch.entity.js';
import { InstanceWatch } from '../watch/instance-watch.service.js';
import { WatchService } from '../watch/watcher.js';
import { FormAlarmsRepository, type OwnedForm } from './form-alarms.repository.js';
import { FormAlarm } from './model/form-alarm.entity.js';

/** The last submission of a form: when it came, and from which page. */
export interface LastSubmission {
  at: Date;
  /** Absent when the browser did not say. */
  page?: string;
}

/** Finds the last submissions of forms. */
@Injectable()
export class LastSubmissions {
  constructor(
    private readonly ids: SubmissionIds,
    private readonly submissions: SubmissionsService,
  ) {}

  /** Returns the last submission of a form that is neither spam nor in the trash; null for none. */
  async of(form: Form): Promise<LastSubmission | null> {
    const ids = await this.ids.newest(form.id, RECEIVED, 1);
    for await (const [full] of this.submissions.read(form, ids)) {
      if (!full) break;
      const page = pageOf(full.submission);
      return { at: full.submission.createdAt, ...(page !== '' && { page }) };
    }
    return null;
  }
}

/** How often forms are gone through, in milliseconds. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;
/** An account hears of alarms at most so often, in milliseconds: what is found meanwhile goes along. */
const TELL_EVERY_MS = HOUR_MS;
/** Age from which something that is found is shown on pages and told nobody, in milliseconds. */
const NEWS_MS = 7 * DAY_MS;
/** How long it is kept what a mail told, in milliseconds. */
const NOTICES_KEPT_MS = 30 * DAY_MS;
/** Forms whose warnings are looked up at once. */
const FORMS_AT_ONCE = 200;

/** Something to be told about a form. */
interface News {
  form: Form;
  alarm: FormAlarm;
  isOver: boolean;
}

/** Tells the owners of forms what is unusual about them, once, and when it is over. */
@Injectable()
@Projected({ tables: ['form_alarms', 'alarm_notices'] })
export class AlarmsService implements Projection {
  private readonly logger = new Logger(AlarmsService.name);

  constructor(
    private readonly alarms: FormAlarmsRepository,
    private readonly warnings: WarningsService,
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly instance: InstanceWatch,
    private readonly lists: FormQueries,
    private readonly owners: RecipientsService,
    private readonly last: LastSubmissions,
    private readonly deliveries: DeliveriesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Goes through all forms, and tells each account what is new about its own. */
  @BackgroundTask('tell of alarms', LOOK_EVERY_MS)
  async tell({ now, signal }: TaskRun): Promise<void> {
    const isHeldBack = await this.instance.holdsBack(now);
    const news = new Map<number, News[]>();
    let after = 0;
    await inPortions(async () => {
      const forms = await this.alarms.formsAfter(after, FORMS_AT_ONCE);
      after = forms.at(-1)?.id ?? after;
      for (const [accountId, ids] of byAccount(forms)) {
        const found = (await this.look(accountId, ids, now)).filter(
          ({ alarm, isOver }) => isOver || !isHeldBack || !isOfSilence(alarm.code),
        );
        if (found.length > 0) news.set(accountId, [...(news.get(accountId) ?? []), ...found]);
      }
      return forms.length;
    }, signal);
    for (const [accountId, found] of news) {
      // What one account has must not keep the others from being told.
      await this.send(accountId, found, now).catch((error: unknown) => {
        this.logger.error('An account could not be told of its forms', { accountId, error });
      });
    }
    const old = new Date(now.getTime() - NOTICES_KEPT_MS);
    await this.unitOfWork.run((tx) => this.alarms.in(tx).forgetNotices(old));
  }

  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.alarms.in(tx).removeOf(formId));
  }

  /** Compares the warnings of some forms of an account with their alarms. @returns what is to be told */
  private async look(accountId: number, ids: number[], now: Date): Promise<News[]> {
    const scope = { accountId, clientId: null };
    const watches = await this.watches.among(ids);
    const isHeard = (id: number) => watches.get(id)?.level !== 'off';
    const forms = await this.lists.inFull(scope, ids.filter(isHeard));
    const warned = await this.warnings.listForThese(scope, forms);
    const known = await this.alarms.among(ids);
    for (const alarm of known.filter(({ formId }) => !isHeard(formId))) await this.drop(alarm);
    const news: News[] = [];
    for (const one of warned) {
      const own = known.filter(({ formId }) => formId === one.form.id);
      news.push(...(await this.compare(one, own, watches.get(one.form.id), now)));
    }
    return news;
  }

  /** Compares the warnings of a form with the alarms that are known. @returns what is to be told */
  private async compare(
    { form, warnings }: WarnedForm,
    known: readonly FormAlarm[],
    watch: FormWatch | undefined,
    now: Date,
  ): Promise<News[]> {
    const found = new Map(warnings.map((warning) => [warning.code, warning]));
    const news: News[] = [];
    for (const alarm of known) {
      const isThere = found.has(alarm.code);
      const next = isThere ? standing(alarm, now) : gone(alarm, now);
      if (next === 'drop') await this.drop(alarm);
      else if (next === 'end' && !(await this.isWell(form, alarm.code, watch))) {
        await this.drop(alarm);
      } else if (next === 'tell' || next === 'end') {
        news.push({ form, alarm, isOver: next === 'end' });
      } else if (next !== null) {
        await this.unitOfWork.run((tx) => this.alarms.in(tx).set(alarm, next));
      }
    }
    const codes = new Set(known.map(({ code }) => code));
    const added = [...found.values()]
      .filter(({ code }) => patienceOf(code) !== null && !codes.has(code))
      .filter(({ since }) => !since || ageAt(now, since) < NEWS_MS)
      .map((warning) => alarmOf(form, warning, now));
    if (added.length > 0) await this.unitOfWork.run((tx) => this.alarms.in(tx).add(added));
    const atOnce = added.filter(({ code }) => patienceOf(code) === 0);
    return [...news, ...atOnce.map((alarm) => ({ form, alarm, isOver: false }))];
  }

  /** Tells whether a warning that is gone has been mended: it is gone too where nobody looks any more. */
  private async isWell(form: Form, code: WarningCode, watch?: FormWatch): Promise<boolean> {
    if (code === 'form_silent') return watch?.state === 'alive';
    if (code === 'never_connected') return watch?.lastHour != null;
    if (code !== 'page_broken' && code !== 'canary_failing') return watch?.state !== 'off';
    const scope = { accountId: form.accountId, clientId: null };
    const { schedule, ranAt, steps } = await this.canaries.show(scope, form.identifier);
    return schedule !== 'off' && ranAt !== null && failureIn(steps) === null;
  }

  private async drop(alarm: FormAlarm): Promise<void> {
    await this.unitOfWork.run((tx) => this.alarms.in(tx).remove(alarm));
  }

  /** Tells owners what is new, unless they were told of something lately: each gets one mail about all of their forms. */
  private async send(accountId: number, news: readonly News[], now: Date): Promise<void> {
    const lastToldAt = await this.alarms.lastToldAt(accountId);
    if (lastToldAt && ageAt(now, lastToldAt) < TELL_EVERY_MS) return;
    const owners = new Map<number, string[]>();
    for (const { form } of news) {
      if (!owners.has(form.id)) owners.set(form.id, await this.owners.of(form));
    }
    const told = await Promise.all(news.map((each) => this.toldOf(each)));
    await this.unitOfWork.run(async (tx) => {
      const alarms = this.alarms.in(tx);
      const mails = new Map<string, { formId: number; told: AlarmTold[] }>();
      for (const [at, { form, alarm, isOver }] of news.entries()) {
        const isMine = await alarms.mark(alarm, isOver ? 'endedAt' : 'toldAt', now);
        const content = told[at];
        if (!isMine || !content) continue;
        for (const email of owners.get(form.id) ?? []) {
          const mail = mails.get(email) ?? { formId: form.id, told: [] };
          mail.told.push(content);
          mails.set(email, mail);
        }
      }
      for (const [recipient, { formId, told }] of mails) {
        const deliveryId = makeUuid();
        const content = JSON.stringify(told);
        await alarms.addNotice({ deliveryId, formId, content });
        const planned: PlannedDelivery[] = [{ kind: 'owner_notice', recipient, id: deliveryId }];
        const entry = { formId, submissionId: null, planned };
        await runStatements(tx, this.deliveries.outboxInserts([entry]));
      }
    });
    this.deliveries.wakeWorker();
  }

  private async toldOf({ form, alarm, isOver }: News): Promise<AlarmTold> {
    const { name, identifier } = form;
    const { code, message } = alarm;
    const about = { formId: form.id, name, identifier, code, message, isOver };
    if (code !== 'form_silent') return about;
    const last = await this.last.of(form);
    return last ? { ...about, lastAt: last.at.toISOString(), page: last.page } : about;
  }
}

/** Writes the mails that tell owners of alarms, and that a destination was paused. */
@Injectable()
export class AlarmMails {
  constructor(
    private readonly alarms: FormAlarmsRepository,
    private readonly forms: FormQueries,
    private readonly destinations: DestinationsService,
    private readonly readers: Readers,
    private readonly config: Config,
  ) {}

  @MailOf(['owner_notice'])
  async notice({ id, formId, destinationId, recipient }: Delivery): Promise<Message | null> {
    const form = await this.forms.find(formId);
    if (!form) return null;
    const notice = await this.alarms.findNotice(id);
    const ids = [...new Set(notice?.told.map((told) => told.formId))];
    const told = await Promise.all(ids.map((each) => this.forms.find(each)));
    const forms = [form, ...told.filter((each) => each !== null)] as const;
    const by = sentBy(await this.readers.brandFor(forms, recipient), this.config);
    if (notice) return alarmMail(notice.told, by, recipient);
    const name = destinationId && (await this.destinations.nameOf(form.accountId, destinationId));
    return noticeMail(form, name, by, recipient);
  }
}

function byAccount(forms: readonly OwnedForm[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { id, accountId } of forms)
    found.set(accountId, [...(found.get(accountId) ?? []), id]);
  return found;
}

function alarmOf({ id, accountId }: Form, { code, message }: Warning, foundAt: Date): FormAlarm {
  const standing = { foundAt, toldAt: null, overAt: null, endedAt: null };
  const alarm = { formId: id, accountId, code, message, ...standing };
  return Object.assign(new FormAlarm(), alarm satisfies Partial<FormAlarm>);
}

/** How long an alarm that is over is remembered, in milliseconds: what comes and goes is told once in that time. */
const REMEMBERED_MS = DAY_MS;

/** Result of a comparison: an alarm is told, told to be over, removed, changed, or stays. */
type Next = 'tell' | 'end' | 'drop' | Partial<FormAlarm> | null;

/** Says what follows for an alarm whose warning stands. */
function standing(alarm: FormAlarm, now: Date): Next {
  const { code, foundAt, toldAt, overAt, endedAt } = alarm;
  if (endedAt !== null && ageAt(now, endedAt) >= REMEMBERED_MS)
    return { foundAt: now, toldAt: null, overAt: null, endedAt: null };
  if (overAt !== null) return { overAt: null };
  const isDue = toldAt === null && ageAt(now, foundAt) >= (patienceOf(code) ?? Infinity);
  return isDue ? 'tell' : null;
}

/** Says what follows for an alarm whose warning is gone. */
function gone({ toldAt, overAt, endedAt }: FormAlarm, now: Date): Next {
  if (toldAt === null) return 'drop';
  if (endedAt !== null) return ageAt(now, endedAt) >= REMEMBERED_MS ? 'drop' : null;
  if (overAt === null) return { overAt: now };
  return ageAt(now, overAt) >= OVER_MS ? 'end' : null;
}

/** How long a warning must stand until owners are told, in milliseconds; what is missing is shown on pages alone. */
const PATIENCE_MS: Partial<Record<WarningCode, number>> = {
  form_silent: 0,
  never_connected: 0,
  page_broken: 0,
  canary_failing: 0,
  visitors_refused: 0,
  verdicts_changed: 0,
  spam_rising: 0,
  recipient_bounces: 0,
  origins_refused: HOUR_MS,
  captcha_unverified: HOUR_MS,
  secret_unreadable: HOUR_MS,
  owner_email_failing: HOUR_MS,
  submitter_email_failing: HOUR_MS,
  webhook_failing: HOUR_MS,
  destination_failing: HOUR_MS,
  opt_in_failing: HOUR_MS,
};
/** How long a warning must be gone until that is told, in milliseconds. */
const OVER_MS = 30 * MINUTE_MS;
/** Returns how long a warning must stand until it is told; null for never. */
function patienceOf(code: WarningCode): number | null {
  return PATIENCE_MS[code] ?? null;
}

/** Tells whether a warning is of silence, which says little while the whole service hears nothing. */
function isOfSilence(code: WarningCode): boolean {
  return code === 'form_silent' || code === 'never_connected';
}
