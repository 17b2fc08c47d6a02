import type { ServerResponse } from 'node:http';
import type { Change } from '../platform/signals/signals.js';

/** Media type of event streams. */
export const EVENT_STREAM = 'text/event-stream';
/** How soon a browser comes back after a stream has ended, in milliseconds; spread, so that not all come at once. */
const RETRY_MS = { least: 2_000, spread: 3_000 };

/** The forms that whoever listens may see at this moment: identifiers by id; null when they may see none any more. */
export type AskForms = () => Promise<ReadonlyMap<number, string> | null>;

/** Tells one listener what has changed in the forms that they may see, and never what. */
export class EventStream {
  private forms: ReadonlyMap<number, string> = new Map();

  /** @param holder the session or token that listens */
  constructor(
    readonly holder: string,
    private readonly askForms: AskForms,
    private readonly response: ServerResponse,
  ) {}

  /** Sends the headers. @returns whether there is anything to tell */
  async begin(): Promise<boolean> {
    if (!(await this.look())) return false;
    const { response } = this;
    response.setHeader('Content-Type', EVENT_STREAM);
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    // Nobody waits for a further answer on this connection, and a stop would wait for its end.
    response.shouldKeepAlive = false;
    response.flushHeaders();
    const retryMs = RETRY_MS.least + Math.floor(Math.random() * RETRY_MS.spread);
    response.write(`retry: ${retryMs}\n\n`);
    return true;
  }

  /** Tells of changes in the forms that were visible at the last look. */
  tell(changes: readonly Change[]): void {
    const events = changes.flatMap(({ topic, subjectId }) => {
      const form = this.forms.get(subjectId);
      return form === undefined ? [] : `event: ${topic}\ndata: ${JSON.stringify({ form })}\n\n`;
    });
    if (events.length > 0) this.response.write(events.join(''));
  }

  /**
   * Looks again who listens, and shows proxies that the stream lives.
   * @returns false when nobody listens any more: they may not, or took nothing since the last time
   */
  async beat(): Promise<boolean> {
    if (this.response.writableLength > 0) {
      this.response.destroy();
      return false;
    }
    if (!(await this.look())) return false;
    this.response.write(':\n\n');
    return true;
  }

  end(): void {
    this.response.end();
  }

  /** Looks who listens. @returns false when nobody does, or has left meanwhile */
  private async look(): Promise<boolean> {
    const forms = await this.askForms();
    if (!forms || this.response.writableEnded || this.response.destroyed) return false;
    this.forms = forms;
    return true;
  }
}
