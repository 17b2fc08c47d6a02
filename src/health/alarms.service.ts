import { Injectable, Logger } from '@nestjs/common';
import {
  hook,
  Hooks,
  Config,
  BackgroundTask,
  type TaskRun,
  inPortions,
  ageAt,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  makeUuid,
} from '../platform/index.js';
import { MailOf, Readers } from '../mail/mail-channel.js';
import { sentBy, type Message, type SentBy } from '../mail/parts/message.js';
import type { Form } from '../forms/model/form.entity.js';
import { RECEIVED } from '../submissions/filter/submission-filter.js';
import { pageOf } from '../submissions/model/page-address.js';
import { SubmissionIds } from '../submissions/rows/submission-ids.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { CanaryService } from './canary/canary.service.js';
import { failureIn } from './canary/step.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { Delivery, PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { alarmMail, type AlarmTold } from '../mail/messages/form-mails.js';
import { RecipientsService } from '../mail/recipients/recipients.service.js';
import { runStatements, UnitOfWork } from '../platform/database/index.js';
import { sentencesOf } from './finding.js';
import { HealthService } from './health.service.js';
import type { FormWatch } from './watch/form-watch.entity.js';
import { InstanceWatch } from './watch/instance-watch.service.js';
import { WatchService } from './watch/watcher.js';
import { FindingsRepository } from './findings.repository.js';
import type { FindingRow } from './finding.entity.js';

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
/** How long it is kept what a mail told, in milliseconds. */
const NOTICES_KEPT_MS = 30 * DAY_MS;
/** Forms that are looked at at once. */
const FORMS_AT_ONCE = 200;
/** Findings that say little while the whole service hears nothing. */
const OF_SILENCE: readonly string[] = ['form_silent', 'never_connected'];

/** Something to be told about a form. */
interface News {
  form: Form;
  row: FindingRow;
  isOver: boolean;
}

/** Asks for the mail that tells an owner that a destination was paused. */
export const PauseNotice = hook<(form: Form, delivery: Delivery, by: SentBy) => Promise<Message>>();

/** Plans and writes the mails that tell owners of findings, and that a destination was paused. */
@Injectable()
export class AlarmMails {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly forms: FormQueries,
    private readonly hooks: Hooks,
    private readonly readers: Readers,
    private readonly config: Config,
    private readonly deliveries: DeliveriesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Plans a mail to each owner, about what no other process has told. @param owners addresses by the form */
  async plan(news: readonly (News & { told: AlarmTold })[], owners: ReadonlyMap<number, string[]>, now: Date) {
    await this.unitOfWork.run(async (tx) => {
      const findings = this.findings.in(tx);
      const mails = new Map<string, { formId: number; told: AlarmTold[] }>();
      for (const { form, row, isOver, told } of news) {
        if (!(await findings.claim(row, isOver ? { endedAt: now } : { toldAt: now }))) continue;
        for (const email of owners.get(form.id) ?? []) {
          const mail = mails.get(email) ?? { formId: form.id, told: [] };
          mail.told.push(told);
          mails.set(email, mail);
        }
      }
      for (const [recipient, { formId, told }] of mails) {
        const deliveryId = makeUuid();
        await findings.addNotice({ deliveryId, formId, content: JSON.stringify(told) });
        const planned: PlannedDelivery[] = [{ kind: 'owner_notice', recipient, id: deliveryId }];
        const entry = { formId, submissionId: null, planned };
        await runStatements(tx, this.deliveries.outboxInserts([entry]));
      }
    });
    this.deliveries.wakeWorker();
  }

  /** Forgets a finding that is told nobody. */
  async remove(row: FindingRow) {
    await this.unitOfWork.run((tx) => this.findings.in(tx).remove(row));
  }

  /** Forgets what mails told that were planned before a moment. */
  async forget(before: Date) {
    await this.unitOfWork.run((tx) => this.findings.in(tx).forgetNotices(before));
  }

  @MailOf(['owner_notice'])
  async notice(delivery: Delivery): Promise<Message | null> {
    const { id, formId, recipient } = delivery;
    const form = await this.forms.find(formId);
    if (!form) return null;
    const notice = await this.findings.findNotice(id);
    const ids = [...new Set(notice?.told.map((told) => told.formId))];
    const told = await Promise.all(ids.map((each) => this.forms.find(each)));
    const forms = [form, ...told.filter((each) => each !== null)] as const;
    const by = sentBy(await this.readers.brandFor(forms, recipient), this.config);
    if (notice) return alarmMail(notice.told, by, recipient);
    return this.hooks.ask(PauseNotice, form, delivery, by);
  }
}

/** Tells the owners of forms what is wrong with them, once, and when it is over. */
@Injectable()
export class AlarmsService {
  private readonly logger = new Logger(AlarmsService.name);

  constructor(
    private readonly findings: FindingsRepository,
    private readonly health: HealthService,
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly instance: InstanceWatch,
    private readonly forms: FormQueries,
    private readonly owners: RecipientsService,
    private readonly last: LastSubmissions,
    private readonly mails: AlarmMails,
  ) {}

  /** Looks at all forms, and tells each account what is new about its own. */
  @BackgroundTask('tell of alarms', LOOK_EVERY_MS)
  async tell({ now, signal }: TaskRun): Promise<void> {
    let after = 0;
    await inPortions(async () => {
      const forms = await this.findings.formsAfter(after, FORMS_AT_ONCE);
      after = forms.at(-1)?.id ?? after;
      for (const [accountId, some] of groupBy(forms, ({ accountId }) => accountId)) {
        const ids = some.map(({ id }) => id);
        await this.health.look(await this.forms.inFull({ accountId, clientId: null }, ids));
      }
      return forms.length;
    }, signal);
    const isHeldBack = await this.instance.holdsBack(now);
    const untold = await this.findings.untold('form');
    for (const [accountId, rows] of groupBy(untold, (row) => row.accountId)) {
      // What one account has must not keep the others from being told.
      await this.tellAccount(accountId, rows, isHeldBack, now).catch((error: unknown) => {
        this.logger.error('An account could not be told of its forms', { accountId, error });
      });
    }
    await this.mails.forget(new Date(now.getTime() - NOTICES_KEPT_MS));
  }

  /** Tells owners what is new, unless they were told of something lately: each gets one mail about all of their forms. */
  private async tellAccount(accountId: number, rows: FindingRow[], isHeldBack: boolean, now: Date) {
    const news = (await this.newsOf(accountId, rows, now)).filter(
      ({ row, isOver }) => isOver || !isHeldBack || !OF_SILENCE.includes(row.code),
    );
    const lastToldAt = news.length === 0 ? null : await this.findings.lastToldAt(accountId);
    if (news.length === 0 || (lastToldAt && ageAt(now, lastToldAt) < TELL_EVERY_MS)) return;
    const owners = new Map<number, string[]>();
    for (const { form } of news) {
      if (!owners.has(form.id)) owners.set(form.id, await this.owners.of(form));
    }
    const told = await Promise.all(news.map(async (each) => ({ ...each, told: await this.toldOf(each) })));
    await this.mails.plan(told, owners, now);
  }

  /** Returns what is to be told of these findings; what nobody looks at any more is forgotten. */
  private async newsOf(accountId: number, rows: FindingRow[], now: Date) {
    const due = rows.filter((row) => row.news(now) !== null);
    const ids = [...new Set(due.map(({ subjectId }) => subjectId))];
    const watches = await this.watches.among(ids);
    const forms = await this.forms.inFull({ accountId, clientId: null }, ids);
    const news: News[] = [];
    for (const row of due) {
      const form = forms.find(({ id }) => id === row.subjectId);
      const watch = watches.get(row.subjectId);
      const isOver = row.news(now) === 'over';
      const isHeard = form !== undefined && watch?.level !== 'off';
      if (isHeard && (!isOver || (await this.isWell(form, row.code, watch)))) news.push({ form, row, isOver });
      else if (isOver) await this.mails.remove(row);
    }
    return news;
  }

  /** Tells whether a finding that is gone has been mended: it is gone too where nobody looks any more. */
  private async isWell(form: Form, code: string, watch?: FormWatch) {
    if (code === 'form_silent') return watch?.state === 'alive';
    if (code === 'never_connected') return watch?.lastHour != null;
    if (code !== 'page_broken' && code !== 'canary_failing') return watch?.state !== 'off';
    const scope = { accountId: form.accountId, clientId: null };
    const { schedule, ranAt, steps } = await this.canaries.show(scope, form.identifier);
    return schedule !== 'off' && ranAt !== null && failureIn(steps) === null;
  }

  private async toldOf({ form, row, isOver }: News): Promise<AlarmTold> {
    const { name, identifier } = form;
    const { code, text } = row;
    const message = sentencesOf(row);
    const about = { formId: form.id, name, identifier, code, text, message, isOver };
    if (code !== 'form_silent') return about;
    const last = await this.last.of(form);
    return last ? { ...about, lastAt: last.at.toISOString(), page: last.page } : about;
  }
}

function groupBy<Each>(all: readonly Each[], keyOf: (each: Each) => number) {
  const groups = new Map<number, Each[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}
