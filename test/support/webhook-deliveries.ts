import { DeliveryWorker } from '../../src/deliveries/delivery-worker.js';
import type { Caller, Service } from './service.js';
import { pathOf } from './submissions.js';

/** One try to deliver, as the API shows it. */
export interface AttemptBody {
  at: string;
  duration_ms: number;
  trigger: string;
  outcome: string;
  code: number | null;
  answer: string | null;
}

/** Something owed, as the API shows it. */
export interface DeliveryBody {
  id: string;
  kind: string;
  recipient: string;
  state: string;
  next_attempt_at: string | null;
  attempts: AttemptBody[];
}

/** Has the service pay everything that is due, and waits for it. */
export async function payDue({ app }: Service): Promise<void> {
  await app.get(DeliveryWorker).runDue();
}

/** What is owed for a submission. */
export async function deliveriesOf(
  caller: Caller,
  form: { identifier: string },
  submissionId: string,
): Promise<DeliveryBody[]> {
  const { body } = await caller.get(`${pathOf(form)}/${submissionId}/deliveries`).expect(200);
  return (body as { deliveries: DeliveryBody[] }).deliveries;
}

/** The one webhook call that is owed for a submission. */
export async function webhookCallOf(
  caller: Caller,
  form: { identifier: string },
  submissionId: string,
): Promise<DeliveryBody> {
  const found = await deliveriesOf(caller, form, submissionId);
  const [call] = found.filter(({ kind }) => kind === 'webhook');
  if (!call) throw new Error('No webhook call is owed.');
  return call;
}
