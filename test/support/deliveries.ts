import { afterEach, beforeEach, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker.js';
import { Clock } from '../../src/platform/kernel/clock.js';
import type { FormBody } from './make.js';
import type { Caller, Service } from './service.js';

/** A try as the API shows it. */
interface AttemptBody {
  at: string;
  duration_ms: number;
  trigger: string;
  outcome: string;
  code: number | null;
  answer: string | null;
}

/** A delivery as the API shows it. */
export interface DeliveryBody {
  id: string;
  kind: string;
  recipient: string;
  state: string;
  next_attempt_at: string | null;
  attempts: AttemptBody[];
}

/** Sends a form as a visitor does. Returns the id of the submission. */
export async function submit(
  service: Service,
  { identifier }: Pick<FormBody, 'identifier'>,
  values: object = { message: 'Hello' },
  headers: Record<string, string> = {},
): Promise<string> {
  const call = service.anonymous().post(`/f/${identifier}`, values).set(headers);
  const { body } = await call.expect(200);
  return (body as { id: string }).id;
}

/** Where the deliveries of a submission are shown. */
export function deliveriesPath({ identifier }: Pick<FormBody, 'identifier'>, id: string): string {
  return `/api/v1/forms/${identifier}/submissions/${id}/deliveries`;
}

/** Returns the deliveries of a submission, as the API shows them. */
export async function deliveriesOf(
  caller: Caller,
  form: Pick<FormBody, 'identifier'>,
  id: string,
): Promise<DeliveryBody[]> {
  const { body } = await caller.get(deliveriesPath(form, id)).expect(200);
  return (body as { deliveries: DeliveryBody[] }).deliveries;
}

/** The only delivery of a submission. */
export async function deliveryOf(
  caller: Caller,
  form: Pick<FormBody, 'identifier'>,
  id: string,
): Promise<DeliveryBody> {
  const [delivery, ...others] = await deliveriesOf(caller, form, id);
  if (!delivery || others.length > 0) throw new Error('It has not exactly one delivery.');
  return delivery;
}

/** Makes a service without workers of its own send everything that is due. */
export function payDue(service: Service): Promise<void> {
  return service.app.get(DeliveryWorker).runDue();
}

/** Lets the leases of what is under way end, as though their time had passed. */
export async function endLeases(service: Service): Promise<void> {
  const past = "UPDATE deliveries SET lease_until = '2000-01-01' WHERE state = 'delivering'";
  await service.app.get(DataSource).query(past);
}

/** The time of a service, in a test's hands: it stands still until the test lets it pass. */
export class Time {
  private now = new Date();

  constructor(private readonly service: () => Service) {}

  set(now: Date): void {
    this.now = now;
    jest.spyOn(this.service().app.get(Clock), 'now').mockImplementation(() => new Date(this.now));
  }

  pass(ms: number): void {
    this.set(new Date(this.now.getTime() + ms));
  }

  /** Until a delivery is due again, and not a millisecond longer. */
  passUntil(moment: string | null): void {
    if (moment === null) throw new Error('It is not due at any time.');
    this.set(new Date(moment));
  }
}

/** Takes the time of a service into the test's hands; each test begins a minute from now. */
export function useTime(service: () => Service): Time {
  const time = new Time(service);
  beforeEach(() => {
    time.set(new Date(Date.now() + 60_000));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return time;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns the only webhook call of a submission. */
export async function webhookCallOf(
  caller: Caller,
  form: Pick<FormBody, 'identifier'>,
  id: string,
): Promise<DeliveryBody> {
  const call = (await deliveriesOf(caller, form, id)).find(({ kind }) => kind === 'webhook');
  if (!call) throw new Error('The submission has no webhook call.');
  return call;
}
