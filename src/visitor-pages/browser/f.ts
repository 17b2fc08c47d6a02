// Sends forms in place, on anybody's page: each `form[data-fcs]`, also one that is added later. Without it they are sent
// as ever. It makes neither markup nor styles nor code, so that the strictest policies let it run. Functions instead of
// classes and names that are local keep it small.

/** An answer to a submission, as far as it is used here; one of another provider's dialect has `error`. */
interface Answer {
  message?: string;
  error?: string;
  redirect?: string | null;
  /** `field` is null for what is wrong with no field. */
  errors?: readonly { field: string; message: string }[];
}
/** Answer to what a form asks before it is sent. */
interface Given {
  token: string;
  proof: boolean;
  texts: Record<Unanswered, string>;
}
type Unanswered = 'offline' | 'failed';
/** Does what an event means for a form; that the page is hidden means that it is left. */
type Sender = (event: Event) => void;

const RETRIES = 4;
/** Longest wait that a server can ask for, in seconds, and for what is asked before, in milliseconds. */
const RETRY_MAX_SECONDS = 60;
const ASK_MAX_MS = 8_000;
/** How long a form takes no click once it leads on, at most, in milliseconds: maybe to a part of the same page. */
const LEAVING_MS = 5_000;
/** Time in which nobody fills in a form, in milliseconds. */
const FAST_MS = 4_000;

const senders = new WeakMap<Element, Sender>();
let notes = 0;

/** Returns what sends a form; undefined for one that is none of ours. */
function senderOf(target: EventTarget | null): Sender | undefined {
  const form = (target as Element).closest<HTMLFormElement>('form[data-fcs]');
  if (form && !senders.has(form)) senders.set(form, makeSender(form));
  return form ? senders.get(form) : undefined;
}

function makeSender(form: HTMLFormElement): Sender {
  let key: string | undefined;
  let isBusy = false;
  let isStarted = false;
  let isLeft = false;
  let given: Promise<Given | null> | null = null;
  /** When that was asked for, since the page was opened. */
  let askedAt = 0;
  /** Take back what the form says. */
  let undo: (() => void)[] = [];

  /** Not by the properties of the form: a field may have their names. */
  const address = (button?: Element | null) =>
    new URL(button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', document.baseURI);

  const proofs = () =>
    import(new URL('/proof-of-work.js', address()).href) as Promise<typeof import('./proof-of-work.js')>;

  const language = form.closest<HTMLElement>('[lang]')?.lang ?? '';

  const beside = (path: string) => {
    const { origin, pathname } = address();
    return origin + pathname.replace(/\/?$/, path);
  };

  const ask = async () => {
    askedAt = performance.now();
    const signal = AbortSignal.timeout(ASK_MAX_MS);
    const answer = await fetch(beside(`/token?_language=${language}`), { credentials: 'omit', signal });
    const found = (await answer.json()) as Given;
    if (found.proof) await proofs();
    return found;
  };

  /** Asks for what it takes to send the form, and makes the places where it will say something. */
  const prepare = () => {
    region('status');
    region('alert');
    return (given ??= ask().catch(() => (given = null)));
  };

  /** Returns a text for where no answer came: the page's own, or the service's in the visitor's language. */
  const textOf = async (text: Unanswered) =>
    form.getAttribute(`data-fcs-${text}`) ?? (await given)?.texts[text] ?? 'No connection.';

  /** Returns where the form says something; it is there, and empty, before that. */
  const region = (role: 'status' | 'alert') => {
    const name = `data-fcs-${role}`;
    let found = form.querySelector<HTMLElement>(`[${name}]`);
    if (!found) {
      found = document.createElement('div');
      found.setAttribute(name, '');
      form.append(found);
    }
    found.setAttribute('role', role);
    found.tabIndex = -1;
    return found;
  };

  const write = (element: HTMLElement, text = '', spoken?: string | null) => {
    element.textContent = text;
    element.dir = 'auto';
    element.lang = spoken ?? language;
    undo.push(() => {
      element.textContent = '';
    });
    return element;
  };

  const clear = () => {
    for (const action of undo.reverse()) action();
    undo = [];
  };

  /** Says what is wrong, beside the fields as far as they are known. */
  const complain = ({ message, error, errors = [] }: Answer, language: string | null) => {
    const said = new Set([message ?? error]);
    let first: HTMLElement | undefined;
    for (const { field, message: problem } of errors) {
      const control = [...document.getElementsByName(field)].find(
        (each) => (each as HTMLInputElement).form === form && (each as HTMLInputElement).type !== 'hidden',
      );
      if (!control) {
        said.add(problem);
        continue;
      }
      let note = form.querySelector<HTMLElement>(`[data-fcs-error-for="${CSS.escape(field)}"]`);
      if (!note) {
        const made = (note = document.createElement('span'));
        (control.closest('label') ?? control).after(made);
        undo.push(() => {
          made.remove();
        });
      }
      note.id ||= `fcs-${++notes}`;
      write(note, problem, language);
      const before = control.getAttribute('aria-describedby') ?? '';
      const mark = (invalid: string, note: string, described: string) => {
        control.setAttribute('aria-invalid', invalid);
        control.setAttribute('aria-errormessage', note);
        control.setAttribute('aria-describedby', described);
      };
      mark('true', note.id, `${before} ${note.id}`);
      undo.push(() => {
        mark('false', '', before);
      });
      first ??= control;
    }
    write(region('alert'), [...said].join(' '), language);
    first?.focus();
  };

  const untilOnline = async () => {
    write(region('status'), await textOf('offline'));
    if (!navigator.onLine) {
      await new Promise((resolve) => {
        addEventListener('online', resolve);
      });
    }
    clear();
  };

  /** Sends by a simple request: one with headers of its own, or a listener, would be asked for before. */
  const post = (to: string, data: FormData) =>
    new Promise<XMLHttpRequest>((resolve) => {
      const request = new XMLHttpRequest();
      const progress = form.querySelector('progress');
      request.open('POST', to);
      request.responseType = 'json';
      request.setRequestHeader('Accept', 'application/json');
      if (progress) {
        request.upload.onprogress = ({ loaded, total }) => {
          progress.max = total;
          progress.value = loaded;
        };
      }
      request.onloadend = () => {
        resolve(request);
      };
      request.send(data);
    });

  const send = async (submitter: HTMLElement | null) => {
    if (isBusy) return;
    const data = new FormData(form, submitter);
    const set = (name: string, value: string | null | undefined) => {
      if (value && !data.get(name)) data.set(name, value);
    };
    isBusy = true;
    form.ariaBusy = 'true';
    clear();
    set('_page', location.href);
    set('_language', language);
    for (let tries = 0; ; tries++) {
      if (!navigator.onLine) await untilOnline();
      if (tries === 0) {
        const found = await prepare();
        // The token says how long it took: nothing where the browser has filled in the form, or it was begun before.
        const now = performance.now();
        if (now < FAST_MS || now - askedAt > FAST_MS) set('_token', found?.token);
        if (found?.proof && !data.has('altcha')) set('altcha', await (await proofs()).solutionFor(form));
      }
      set('_idempotency_key', (key ??= crypto.getRandomValues(new Uint32Array(4)).join('-')));
      const request = await post(address(submitter).href, data);
      const { status } = request;
      const seconds = Number(request.getResponseHeader('Retry-After')) || 2.5 ** tries / 2;
      const isFinal = status > 0 && status !== 409 && status !== 429 && status < 500;
      if (isFinal) key = undefined;
      if (isFinal || tries === RETRIES || seconds > RETRY_MAX_SECONDS) {
        await end(
          status < 300 && isFinal,
          request.response as Answer | null,
          request.getResponseHeader('Content-Language'),
        );
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  };

  const end = async (isSent: boolean, found: Answer | null, language: string | null) => {
    const detail: Answer = found ?? { message: await textOf('failed') };
    const event = new CustomEvent(isSent ? 'fcs:success' : 'fcs:error', { bubbles: true, cancelable: true, detail });
    const isOurs = form.dispatchEvent(event);
    const next = isSent && isOurs && detail.redirect;
    const free = () => {
      isBusy = false;
      form.ariaBusy = null;
    };
    if (next) addEventListener('pagehide', free);
    setTimeout(free, next ? LEAVING_MS : 0);
    if (isSent) given = null;
    if (!isOurs) return;
    if (isSent) {
      HTMLFormElement.prototype.reset.call(form);
      if (next) location.assign(next);
      else write(region('status'), detail.message, language).focus();
    } else complain(detail, language);
  };

  const leave = () => {
    const query = new URLSearchParams(location.search);
    const campaign = query.get('utm_campaign') ?? query.get('utm_source') ?? '';
    const visit = new URLSearchParams({ page: location.pathname, campaign, started: String(isStarted) });
    if (!isLeft) navigator.sendBeacon(`${beside('/visits')}?${visit}`);
    isLeft = true;
  };

  return (event) => {
    if (event.type === 'focusin') void prepare();
    else if (event.type === 'input') {
      isStarted = true;
      // After a lost answer it is another submission.
      key = undefined;
    } else if (event.type !== 'submit') leave();
    else if (!event.defaultPrevented) {
      event.preventDefault();
      void send((event as SubmitEvent).submitter);
    }
  };
}

/** Each form of a page may come with the script. No element of the page gives `navigator` a property, as it can `window`. */
const marked: Navigator & { fcs?: true } = navigator;
if (!marked.fcs) {
  marked.fcs = true;
  for (const type of ['focusin', 'input', 'submit']) {
    document.addEventListener(type, (event) => senderOf(event.target)?.(event));
  }
  document.addEventListener('visibilitychange', (event) => {
    if (document.hidden) for (const form of document.forms) senderOf(form)?.(event);
  });
}
