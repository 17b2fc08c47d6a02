import { layoutWords } from './words.js';
import { LinkButton } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { FrameContext, Shell, SIGNED_OUT, type FramedBrand } from './shell.js';

/** The content of an error page. */
export interface Failure {
  status: number;
  /** The message of the error; null for a fault of the service. */
  message: string | null;
  /** Id under which the log has more. */
  requestId: string;
  /** Name of the person as whom an owner sees the pages; null for oneself. */
  seenAs: string | null;
  /** How the account looks that a client belongs to; null for everybody else. */
  brand: FramedBrand | null;
}

/** Draws the page of a request that came to nothing. */
export function ErrorPage({ status, message, requestId, seenAs, brand }: Failure) {
  const known = status in layoutWords.errors ? (status as keyof typeof layoutWords.errors) : 500;
  const [title, advice] =
    layoutWords.errors[status >= 400 && status < 500 && known === 500 ? 400 : known];
  return (
    <FrameContext.Provider value={{ ...SIGNED_OUT, seenAs, brand }}>
      <Shell title={title}>
        <p class="code">{status}</p>
        <PageHead title={title} />
        {message && <p>{message}</p>}
        {seenAs === null && <p>{advice}</p>}
        <p>
          <LinkButton href="/" kind="primary">
            {layoutWords.back}
          </LinkButton>
        </p>
        {status >= 500 && (
          <p class="hint">
            {layoutWords.requestId} <code>{requestId}</code>
          </p>
        )}
      </Shell>
    </FrameContext.Provider>
  );
}
