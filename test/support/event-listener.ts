import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from './until.js';

/** An event as it was sent. */
export interface Heard {
  event: string;
  data: unknown;
}

/** Listens on an event stream. */
export class EventListener {
  /** All that was sent so far. */
  text = '';
  /** Whether the service has ended the stream. */
  isEnded = false;

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (part: string) => (this.text += part));
    response.on('end', () => (this.isEnded = true));
    response.on('error', () => undefined); // the listener has left
  }

  /** Opens a stream; rejects with the answer when it is refused. */
  static async open(url: string, headers: Record<string, string>): Promise<EventListener> {
    const request = get(url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) {
      throw new Error(`${response.statusCode} ${await text(response)}`);
    }
    return new EventListener(request, response);
  }

  /** The events so far. */
  get heard(): Heard[] {
    return this.text.split('\n\n').flatMap((part) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      return event === undefined ? [] : [{ event, data: JSON.parse(data ?? '') as unknown }];
    });
  }

  /** Waits until this was heard. */
  hears(event: string, form: string): Promise<void> {
    return until(() =>
      this.heard.some((each) => each.event === event && JSON.stringify(each.data) === JSON.stringify({ form })),
    );
  }

  ends(): Promise<void> {
    return until(() => this.isEnded);
  }

  stop(): void {
    this.request.destroy();
  }
}
