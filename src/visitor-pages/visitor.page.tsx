import type { ComponentChildren } from 'preact';
import type { Told } from '../forms/model/form-language.js';
import { parseUrl } from '../platform/index.js';
import { useWords } from './layout.js';

/** A value or the name of a file, under the label of its field. */
interface Sent {
  label: string;
  text: string;
}

/** Whose a page is. */
export interface Whose {
  /** Null when nobody gave the account a name. */
  name: string | null;
  /** Null without a logo. */
  logoPath: string | null;
}

interface ThanksTold {
  title: string;
  text: string;
  sent: Sent[] | null;
  from: string | null;
  children?: ComponentChildren;
}

/** Thanks a visitor, with what was sent when the form shows it. */
export function Thanks(props: Whose & ThanksTold) {
  return (
    <>
      <Owner {...props} />
      <Mark kind="good" />
      <h1>{props.title}</h1>
      <p class="text" dir="auto">
        {props.text}
      </p>
      {props.children}
      {props.sent && <Values sent={props.sent} />}
      <BackLink from={props.from} />
    </>
  );
}

/** Offers to send the email again that asks a visitor, after a minute. @param notice on what became of the last time */
export function AskAgain({ notice }: { notice: string | null }) {
  return (
    <>
      {notice !== null && <p role="status">{notice}</p>}
      <form method="post" class="later">
        <button type="submit">{useWords().say('send_link_again')}</button>
      </form>
    </>
  );
}

/** Draws whose page it is. */
export function Owner({ name, logoPath }: Whose) {
  return (
    <>
      {logoPath !== null && <img class="logo" src={logoPath} alt="" />}
      {name !== null && (
        <p class="owner">
          <bdi>{name}</bdi>
        </p>
      )}
    </>
  );
}

/** Whose a page is that says what went wrong, and where its visitor came from. */
export interface Sender {
  brand: Whose | null;
  /** Address of the page with the form; null when it is unknown. */
  from: string | null;
}

/** Explains why a submission was not stored. */
export function NotSent({ message, detail, brand }: Pick<Sender, 'brand'> & Told) {
  const words = useWords();
  return (
    <>
      {brand && <Owner {...brand} />}
      <Mark kind="bad" />
      <h1>{words.say('not_sent')}</h1>
      <p>{message}</p>
      {detail !== null && (
        <p lang="en" dir="ltr">
          {detail}
        </p>
      )}
      <p>{words.say('answers_kept')}</p>
    </>
  );
}

/** Says that an address has no form, and what its owner can do. */
export function UnknownForm() {
  const words = useWords();
  return (
    <>
      <Mark kind="bad" />
      <h1>{words.say('not_sent')}</h1>
      <p>
        {words.say('error.form_not_found')} {words.say('tell_owner')}
      </p>
      <p lang="en" dir="ltr">
        Is this your site? Sign in here and open your form. If the page comes from another provider, add the id of the
        old form as an alias. Otherwise, copy the address of the form into the page again.
      </p>
    </>
  );
}

/** Says that a form takes no submissions now, in the words of its owner. */
export function Closed({ message, brand, from }: Sender & { message: string }) {
  return (
    <>
      {brand && <Owner {...brand} />}
      <Mark kind="bad" />
      <h1>{useWords().say('form_closed')}</h1>
      <p class="text" dir="auto">
        {message}
      </p>
      <BackLink from={from} />
    </>
  );
}

/** Explains why an address shows nothing. */
export function NotShown({ message, detail, brand }: Told & { brand: Whose | null }) {
  return (
    <>
      {brand && <Owner {...brand} />}
      <Mark kind="bad" />
      <h1>{useWords().say('link_broken')}</h1>
      {detail === null ? <p>{message}</p> : <p lang="en">{detail}</p>}
    </>
  );
}

/** Explains a form's address to the developer who opens it. */
export function Instructions(props: { name: string; snippet: string; domains: string | null; brand: Whose }) {
  return (
    <>
      <Owner {...props.brand} />
      <h1>{props.name}</h1>
      <p>
        This is the address of a form. Visitors send their submissions to it by <code>POST</code>. Add this to your
        page:
      </p>
      <Snippet text={props.snippet} />
      <p>
        Every field needs a <code>name</code>. For files, add <code>enctype="multipart/form-data"</code> to the form.
      </p>
      {props.domains !== null && (
        <p>
          This form only accepts submissions from {props.domains.split(',').join(', ')}. If you send one from this page,
          it goes to spam.
        </p>
      )}
      <h2>Try it</h2>
      <form method="post" accept-charset="UTF-8">
        <label>
          Your email <input type="email" name="email" autocomplete="email" required />
        </label>
        <label>
          Message <textarea name="message" rows={4} />
        </label>
        <button type="submit">Send</button>
      </form>
    </>
  );
}

/** Explains a GET that carries a form's fields: nothing was stored. */
export function MethodMissing({ snippet, brand }: { snippet: string; brand: Whose }) {
  const words = useWords();
  return (
    <>
      <Owner {...brand} />
      <Mark kind="bad" />
      <h1>{words.say('not_sent')}</h1>
      <p>{words.say('page_at_fault')}</p>
      <p lang="en" dir="ltr">
        The form was sent by <code>GET</code>, so its fields ended up in the address and nothing was stored. Add{' '}
        <code>method="post"</code> to the form:
      </p>
      <Snippet text={snippet} />
    </>
  );
}

/** Draws a tick or an exclamation mark, which is seen before the text is read. */
export function Mark({ kind }: { kind: 'good' | 'bad' }) {
  return (
    <svg class={kind} viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="10" />
      <path d={kind === 'good' ? 'm8 12.5 2.7 2.7L16 9.7' : 'M12 7.5v5.5M12 16.4v.1'} />
    </svg>
  );
}

function Snippet({ text }: { text: string }) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

function Values({ sent }: { sent: Sent[] }) {
  return (
    <>
      <h2>{useWords().say('what_you_sent')}</h2>
      <dl>
        {sent.map(({ label, text }) => (
          <div>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              <bdi>{text === '' ? '–' : text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Links back to the site of the form. Browsers send other sites only the origin, so the link names the host. */
export function BackLink({ from }: { from: string | null }) {
  const url = parseUrl(from);
  if (from === null || !url || !/^https?:\/\//i.test(from)) return null;
  return (
    <p>
      <a href={from} target="_top">
        {useWords().say('back_to', { site: url.host })}
      </a>
    </p>
  );
}
