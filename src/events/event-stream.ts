import type { ServerResponse } from 'node:http';
import type { Scope } from '../access/principal.js';
import type { Change } from '../platform/signals/signals.js';

/** Media type of event streams. */
export const EVENT_STREAM = 'text/event-stream';
/** How soon a browser comes back after a stream has ended, in milliseconds; spread, so that not all come at once. */
const RETRY_MS = { least: 2_000, spread: 3_000 };

/** For whom a stream counts. */
export interface ListenerNames {
  /** Names the session or token. */
  readonly holder: string;
  readonly scope: Scope;
}

/** Events that a listener may receive at this moment. */
export interface Audible {
  /** Returns the identifiers, by id, of those of these forms that they see. */
  formsAmong: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  /** Names of events by the topics of their signals. */
  events: ReadonlyMap<string, string>;
}

/** Asks what that is; null when they may hear of nothing any more. */
export type AskAudible = () => Promise<Audible | null>;

/** Tells one listener what has changed in the forms that they may see, and never what. */
export class EventStream {
  private audible: Audible = {
    formsAmong: () => Promise.resolve(new Map()),
    events: new Map(),
  };

  constructor(
    readonly listener: ListenerNames,
    private readonly ask: AskAudible,
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

  /** Tells of changes in what could be heard of at the last look. */
  async tell(changes: readonly Change[]): Promise<void> {
    const { formsAmong, events: names } = this.audible;
    const heard = changes.filter(({ topic }) => names.has(topic));
    const forms = await formsAmong(heard.map(({ subjectId }) => subjectId));
    if (this.response.writableEnded || this.response.destroyed) return;
    const events = heard.flatMap(({ topic, subjectId }) => {
      const [form, event] = [forms.get(subjectId), names.get(topic)];
      return form === undefined || event === undefined
        ? []
        : `event: ${event}\ndata: ${JSON.stringify({ form })}\n\n`;
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
    const audible = await this.ask();
    if (!audible || this.response.writableEnded || this.response.destroyed) return false;
    this.audible = audible;
    return true;
  }
}
