import { DataSource } from 'typeorm';
import { DeliveryWorker } from '../../src/deliveries/queue/delivery-worker.js';
import type { FormBody } from './make.js';
import type { Caller, Service } from './service.js';

/** An attempt as the API shows it. */
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

/** Returns the path of a submission's deliveries. */
export function deliveriesPath({ identifier }: Pick<FormBody, 'identifier'>, id: string): string {
  return `/api/v1/forms/${identifier}/submissions/${id}/deliveries` as const;
}

/** Returns the deliveries of a submission, as the API shows them. */
export const deliveriesOf = async (
  caller: Caller,
  form: Pick<FormBody, 'identifier'>,
  id: string,
): Promise<DeliveryBody[]> => (await caller.read(deliveriesPath(form, id))).deliveries;

/** Returns the only delivery of a submission. */
export async function deliveryOf(
  caller: Caller,
  form: Pick<FormBody, 'identifier'>,
  id: string,
): Promise<DeliveryBody> {
  const [delivery, ...others] = await deliveriesOf(caller, form, id);
  if (!delivery || others.length > 0) throw new Error('It has not exactly one delivery.');
  return delivery;
}

/** Sends all due deliveries of a service with WORKERS=off. */
export function sendDue(service: Service): Promise<void> {
  return service.app.get(DeliveryWorker).runDue();
}

/** Ends the leases of all deliveries under way, as if their time had passed. */
export async function endLeases(service: Service): Promise<void> {
  const past = "UPDATE deliveries SET lease_until = '2000-01-01' WHERE state = 'delivering'";
  await service.app.get(DataSource).query(past);
}

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
