/**
 * The response after a submission was stored. Its keys suit the client scripts of several form services: each
 * reads its own. There is no `errors` key, since some scripts take even an empty one for a failure.
 */
export interface Success {
  success: true;
  ok: true;
  status: 'success';
  code: 200;
  message: string;
  submission_text: string;
  /** Where a browser is redirected to. */
  next: string;
  /** The form's `redirect_url`, or what the page names in its place. */
  redirect: string | null;
  id: string;
}

export function successBody(
  message: string,
  text: string,
  next: string,
  redirect: string | null,
  id: string,
): Success {
  return {
    success: true,
    ok: true,
    status: 'success',
    code: 200,
    message,
    submission_text: text,
    next,
    redirect,
    id,
  };
}
