import type { Response } from 'express';

/** Ends work whose client has left. Nobody gets an answer. */
export class ClientLeft extends Error {
  constructor() {
    super('The client has left.');
  }
}

/** Returns a signal that is aborted with `ClientLeft` once the client has left; after the answer it means nothing. */
export function untilLeft(response: Response): AbortSignal {
  const left = new AbortController();
  if (response.closed) left.abort(new ClientLeft());
  response.once('close', () => {
    left.abort(new ClientLeft());
  });
  return left.signal;
}
