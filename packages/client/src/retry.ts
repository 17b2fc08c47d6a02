const RETRIES = 3;
const FIRST_WAIT_MS = 500;
/** A longer wait is left to the caller. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Sends a request up to four times: again after 429 and 503, when the service stored nothing, and where sending twice does
 * no harm, after no answer too. Waits as `Retry-After` says, otherwise half a second and then twice as long each time.
 * @param mayRepeat whether the request may arrive twice
 * @throws what `send` threw last, or the reason of the signal
 */
export async function sendPatiently(
  send: () => Promise<Response>,
  mayRepeat: boolean,
  signal?: AbortSignal,
): Promise<Response> {
  for (let retry = 0; ; retry++) {
    const backoff = FIRST_WAIT_MS * 2 ** retry;
    try {
      const response = await send();
      const asked = waitOf(response);
      const wait = asked ?? backoff;
      const isBusy = response.status === 429 || response.status === 503;
      if (!isBusy || (asked === null && !mayRepeat) || wait > LONGEST_WAIT_MS || retry === RETRIES) return response;
      await response.body?.cancel();
      await pause(wait, signal);
    } catch (error) {
      if (!mayRepeat || retry === RETRIES || signal?.aborted) throw error;
      await pause(backoff, signal);
    }
  }
}

/** Returns what `Retry-After` asks for, in milliseconds; null without it. */
function waitOf({ headers }: Response) {
  const after = headers.get('Retry-After');
  if (after === null) return null;
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

function pause(ms: number, signal?: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
