/** Longest answer of a filter that is read, in bytes. */
const ANSWER_MAX_BYTES = 256 * 1024;

/** A filter did not answer, or not as it should. */
export class FilterUnclear extends Error {}

export interface FilterAnswer {
  text: string;
  headers: Headers;
}

/**
 * Calls a spam filter that the operator named. It is told nothing more than once, and redirects are not followed.
 * @throws FilterUnclear
 */
export async function callFilter(
  url: string,
  request: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string | Buffer },
  signal: AbortSignal,
): Promise<FilterAnswer> {
  try {
    const { body, ...rest } = request;
    const response = await fetch(url, {
      ...rest,
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new FilterUnclear(`It answers with status ${response.status}.`);
    }
    return { text: await textOf(response), headers: response.headers };
  } catch (error) {
    if (error instanceof FilterUnclear) throw error;
    if (signal.aborted) throw new FilterUnclear('It does not respond in time.');
    const { message, cause } = error as Error;
    throw new FilterUnclear(cause instanceof Error ? cause.message : message);
  }
}

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_MAX_BYTES) throw new FilterUnclear('Its answer is too long.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
