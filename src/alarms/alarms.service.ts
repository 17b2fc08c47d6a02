import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { Delivery, PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { FormLists } from '../forms/form-lists.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { MailChannel } from '../mail/mail-channel.js';
import type { AlarmTold } from '../mail/messages/alarm-mail.js';
import { FormOwners } from '../notifications/form-owners.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { inPortions } from '../platform/background/portions.js';
import { runStatements } from '../platform/database/statement.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/kernel/time/durations.js';
import { makeUuid } from '../platform/kernel/uuid.js';
import { Projected, type Projection } from '../projections/projection.js';
import { WarningsService, type WarnedForm } from '../warnings/warnings.service.js';
import type { Warning } from '../warnings/warning.js';
import { InstanceWatch } from '../watch/instance-watch.service.js';
import { WatchService } from '../watch/watch.service.js';
import { FormAlarmsRepository, type OwnedForm } from './form-alarms.repository.js';
import { LastSubmissions } from './last-submissions.service.js';
import { AlarmNotice } from './model/alarm-notice.entity.js';
import { FormAlarm } from './model/form-alarm.entity.js';
import { isOfSilence, OVER_MS, patienceOf } from './model/patience.js';

/** How often forms are gone through, in milliseconds. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;
/** An account hears of alarms at most so often, in milliseconds: what is found meanwhile goes along. */
const TELL_EVERY_MS = HOUR_MS;
/** Age from which something that is found is shown on pages and told nobody, in milliseconds. */
const NEWS_MS = 7 * DAY_MS;
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
  constructor(
    private readonly alarms: FormAlarmsRepository,
    private readonly warnings: WarningsService,
    private readonly watches: WatchService,
    private readonly instance: InstanceWatch,
    private readonly lists: FormLists,
    private readonly owners: FormOwners,
    private readonly last: LastSubmissions,
    private readonly deliveries: DeliveriesService,
    private readonly mails: MailChannel,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.mails.registerAlarms((delivery) => this.toldBy(delivery));
  }

  /** Goes through all forms, and tells what is new about them. */
  @BackgroundTask('tell of alarms', LOOK_EVERY_MS)
  async tell({ now, signal }: TaskRun): Promise<void> {
    const isHeldBack = await this.instance.holdsBack(now);
    let after = 0;
    await inPortions(async () => {
      const forms = await this.alarms.formsAfter(after, FORMS_AT_ONCE);
      after = forms.at(-1)?.id ?? after;
      for (const [accountId, ids] of byAccount(forms))
        await this.look(accountId, ids, now, isHeldBack);
      return forms.length;
    }, signal);
  }

  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.alarms.in(tx).removeOf(formId));
  }

  private async look(
    accountId: number,
    ids: number[],
    now: Date,
    isHeldBack: boolean,
  ): Promise<void> {
    const scope = { accountId, clientId: null };
    const watches = await this.watches.among(ids);
    const heard = ids.filter((id) => watches.get(id)?.level !== 'off');
    const warned = await this.warnings.listForThese(scope, await this.lists.inFull(scope, heard));
    const known = await this.alarms.among(heard);
    const news: News[] = [];
    for (const one of warned) {
      const { form } = one;
      const { added, due } = await this.compare(
        one,
        known.filter(({ formId }) => formId === form.id),
        now,
      );
      if (added.length > 0) await this.unitOfWork.run((tx) => this.alarms.in(tx).add(added));
      const told = due.filter(
        ({ alarm, isOver }) => isOver || !isHeldBack || !isOfSilence(alarm.code),
      );
      news.push(...told);
    }
    if (news.length === 0) return;
    const lastToldAt = await this.alarms.lastToldAt(accountId);
    if (lastToldAt && now.getTime() - lastToldAt.getTime() < TELL_EVERY_MS) return;
    await this.send(news, now);
  }

  /** Compares the warnings of a form with the alarms that are known. */
  private async compare({ form, warnings }: WarnedForm, known: readonly FormAlarm[], now: Date) {
    const found = new Map(warnings.map((warning) => [warning.code, warning]));
    const due: News[] = [];
    for (const alarm of known) {
      const isThere = found.has(alarm.code);
      if (isThere !== (alarm.overAt === null)) {
        await this.unitOfWork.run((tx) => this.alarms.in(tx).setOver(alarm, isThere ? null : now));
      }
      const isOver = !isThere && alarm.overAt !== null && age(alarm.overAt, now) >= OVER_MS;
      if (isOver || (!isThere && alarm.toldAt === null)) due.push({ form, alarm, isOver: true });
      const patience = patienceOf(alarm.code) ?? Infinity;
      if (isThere && alarm.toldAt === null && age(alarm.foundAt, now) >= patience)
        due.push({ form, alarm, isOver: false });
    }
    const codes = new Set(known.map(({ code }) => code));
    const added = [...found.values()]
      .filter(({ code }) => patienceOf(code) !== null && !codes.has(code))
      .filter(({ since }) => !since || age(since, now) < NEWS_MS)
      .map((warning) => alarmOf(form, warning, now));
    const atOnce = added.filter(({ code }) => patienceOf(code) === 0);
    due.push(...atOnce.map((alarm) => ({ form, alarm, isOver: false })));
    return { added, due };
  }

  /** Tells owners what is new: each gets one mail about all of their forms. */
  private async send(news: readonly News[], now: Date): Promise<void> {
    const owners = new Map<number, string[]>();
    for (const { form } of news) {
      if (!owners.has(form.id)) owners.set(form.id, await this.owners.of(form));
    }
    const told = await Promise.all(news.map((each) => this.toldOf(each)));
    await this.unitOfWork.run(async (tx) => {
      const alarms = this.alarms.in(tx);
      const mails = new Map<string, { formId: number; told: AlarmTold[] }>();
      for (const [at, { form, alarm, isOver }] of news.entries()) {
        const isMine = isOver ? await alarms.end(alarm) : await alarms.tell(alarm, now);
        const content = told[at];
        if (!isMine || !content || (isOver && alarm.toldAt === null)) continue;
        for (const email of owners.get(form.id) ?? []) {
          const mail = mails.get(email) ?? { formId: form.id, told: [] };
          mail.told.push(content);
          mails.set(email, mail);
        }
      }
      for (const [recipient, { formId, told }] of mails) {
        const deliveryId = makeUuid();
        const content = JSON.stringify(told);
        const notice = Object.assign(new AlarmNotice(), { deliveryId, formId, content });
        await alarms.addNotices([notice]);
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
    const about = { name, identifier, code, message, isOver };
    if (code !== 'form_silent') return about;
    const last = await this.last.of(form);
    return last ? { ...about, lastAt: last.at.toISOString(), page: last.page } : about;
  }

  /** Returns what a mail tells; null for one about something else. */
  private async toldBy({ id, kind }: Delivery): Promise<AlarmTold[] | null> {
    if (kind !== 'owner_notice') return null;
    return (await this.alarms.findNotice(id))?.told ?? null;
  }
}

function byAccount(forms: readonly OwnedForm[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { id, accountId } of forms)
    found.set(accountId, [...(found.get(accountId) ?? []), id]);
  return found;
}

function alarmOf({ id, accountId }: Form, { code, message }: Warning, foundAt: Date): FormAlarm {
  const alarm = { formId: id, accountId, code, message, foundAt, toldAt: null, overAt: null };
  return Object.assign(new FormAlarm(), alarm satisfies Partial<FormAlarm>);
}

function age(moment: Date, now: Date): number {
  return now.getTime() - moment.getTime();
}
