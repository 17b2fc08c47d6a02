import { useRef, useState } from 'react';
import { sendPatiently } from './retry.js';
import type { components } from './schema.js';

export interface FormState {
  status: 'idle' | 'sending' | 'sent' | 'failed';
  /** A sentence for the visitor; empty before one was answered. */
  message: string;
  /** A sentence for each field at fault, by its name. */
  errors: Record<string, string>;
}

/** Answer of the service once a submission is stored. */
export type Stored = components['schemas']['SubmissionSuccess'];
type Refused = components['schemas']['SubmissionFailure'];

export interface FormOptions {
  /** Says so when the service did not answer. */
  unreachable?: string;
  /** Runs once a submission is stored, such as to go to `redirect`. */
  onSent?: (answer: Stored) => void;
}

/** The event of a form that React is sending. */
interface Submitting {
  currentTarget: HTMLFormElement;
  nativeEvent: Event;
  preventDefault: () => void;
}

const IDLE: FormState = { status: 'idle', message: '', errors: {} };
const UNREACHABLE = 'We could not send this. Check your connection, then try again.';

/**
 * Sends a form in place: `<form onSubmit={submit}>`.
 * @param address of the form, such as `https://forms.example.com/f/e84c332cf237dffa`
 */
export function useForm(address: string, options: FormOptions = {}): [FormState, (event: Submitting) => void] {
  const [state, setState] = useState(IDLE);
  const isSending = useRef(false);
  /** The key of what was sent and not stored; the service stores it once, however often it arrives. */
  const unstored = useRef({ content: '', key: '' });

  async function send(data: FormData) {
    const content = JSON.stringify([...data], contentOf);
    if (unstored.current.content !== content) unstored.current = { content, key: randomKey() };
    data.set('_idempotency_key', unstored.current.key);
    setState({ ...IDLE, status: 'sending' });
    const answer = await answerTo(address, data);
    isSending.current = false;
    const { success, message } = answer ?? { success: false, message: options.unreachable ?? UNREACHABLE };
    const errors = answer?.success === false ? errorsOf(answer) : {};
    setState({ status: success ? 'sent' : 'failed', message, errors });
    if (!answer?.success) return;
    unstored.current = { content: '', key: '' };
    options.onSent?.(answer);
  }

  function submit(event: Submitting) {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const data = new FormData(event.currentTarget, submitter);
    if (!data.get('_page')) data.set('_page', location.href);
    const { lang } = document.documentElement;
    if (!data.has('_language') && lang) data.set('_language', lang);
    void send(data);
  }

  return [state, submit];
}

/** Returns null when the service did not answer. */
async function answerTo(address: string, body: FormData) {
  const request = { method: 'POST', body, headers: { Accept: 'application/json' } };
  try {
    const response = await sendPatiently(() => fetch(address, request), true);
    const answer = (await response.json()) as Stored | Refused;
    return 'success' in answer ? answer : null;
  } catch {
    return null;
  }
}

function errorsOf({ errors }: Refused) {
  return Object.fromEntries(
    errors.flatMap(({ field, message }) => (field === null ? [] : [[field, message] as const])),
  );
}

/** Tells files apart, which have no JSON. */
function contentOf(_: string, value: unknown) {
  return value instanceof File ? [value.name, value.size, value.lastModified] : value;
}

/** Returns 32 hexadecimal digits; `randomUUID` is not there on pages without https. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
