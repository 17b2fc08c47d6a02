import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Scope, Principal } from '../../accounts/access/index.js';
import { type Change, Signals, SECOND_MS, TooManyRequestsError, UnavailableError, fact } from '../../platform/index.js';
import { FORM_TOPICS, PRESENCE, presenceTopicFor } from '../../forms/model/form-changes.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { NotAcceptable } from '../../platform/http/index.js';

/** Media type of event streams. */
export const EVENT_STREAM = 'text/event-stream';
/** How soon a browser comes back after a stream has ended, in milliseconds; spread, so that not all come at once. */
const RETRY_MS = { least: 2_000, spread: 3_000 };

/** For whom a stream counts. */
interface ListenerNames {
  /** Names the session or token. */
  readonly holder: string;
  readonly scope: Scope;
  /** Names the person of a page as signals do: it learns which changes are its own. */
  readonly by?: string;
}

/** Events that a listener may receive at this moment. */
interface Audible {
  /** Returns the identifiers, by id, of any of these forms that they see. */
  formsAmong: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  /** Names of events by the topics of their signals. */
  events: ReadonlyMap<string, string>;
}

/** Asks what that is; null when they may hear of nothing any more. */
export type AskAudible = () => Promise<Audible | null>;

/** Tells one listener what has changed in the forms that they may see, and never what. */
export class EventStream {
  private audible: Audible = { formsAmong: () => Promise.resolve(new Map()), events: new Map() };

  constructor(
    readonly listener: ListenerNames,
    private readonly ask: AskAudible,
    private readonly response: ServerResponse,
  ) {}

  /** Sends the headers. @returns whether there is anything to tell */
  async begin() {
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
  async tell(changes: readonly Change[]) {
    const { formsAmong, events: names } = this.audible;
    const { by: me } = this.listener;
    const isOwn = ({ by }: Change) => me !== undefined && by === me;
    // Nobody is told of oneself.
    const heard = changes.filter(
      (change) => names.has(change.topic) && !(names.get(change.topic) === PRESENCE && isOwn(change)),
    );
    const forms = await formsAmong(heard.map(({ subjectId }) => subjectId));
    if (this.response.writableEnded || this.response.destroyed) return;
    const events = heard.flatMap((change) => {
      const [form, event] = [forms.get(change.subjectId), names.get(change.topic)];
      if (form === undefined || event === undefined) return [];
      const data = { form, ...(isOwn(change) && { own: true }) };
      return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    });
    if (events.length > 0) this.response.write(events.join(''));
  }

  /**
   * Looks again who listens, and shows proxies that the stream lives.
   * @returns false when nobody listens any more: they may not, or took nothing since the last time
   */
  async beat() {
    if (this.response.writableLength > 0) {
      this.response.destroy();
      return false;
    }
    if (!(await this.look())) return false;
    this.response.write(':\n\n');
    return true;
  }

  end() {
    this.response.end();
  }

  /** Looks who listens. @returns false when nobody does, or has left meanwhile */
  private async look() {
    const audible = await this.ask();
    if (!audible || this.response.writableEnded || this.response.destroyed) return false;
    this.audible = audible;
    return true;
  }
}

/** Suggested wait in seconds for a further stream. */
const RETRY_SECONDS = 60;

class TooManyStreams extends fact(
  TooManyRequestsError,
  'too_many_streams',
  (max: number) => `You have ${max} event streams open already. One receives all events.`,
  RETRY_SECONDS,
) {}

/** The limit of a client or of an account. */
class TooManyStreamsOfAccount extends fact(
  TooManyRequestsError,
  'too_many_streams',
  (max: number) => `Your account or client has ${max} event streams open already. Poll instead.`,
  RETRY_SECONDS,
) {}

class StreamsFull extends fact(UnavailableError, 'streams_full', 'Too many event streams are open. Poll instead.') {}

/** Streams of one session or token; a browser needs one for all its tabs. */
const STREAMS_OF_HOLDER = 4;
/** Streams of one instance. */
const STREAMS_MAX = 1_000;
/** Streams of one account, its clients included: three quarters are left to others. */
const STREAMS_OF_ACCOUNT = 250;
/** Streams of one client, by however many tokens and people. */
const STREAMS_OF_CLIENT = 50;
/**
 * Time between two heartbeats, each of which asks anew who listens: proxies cut what is silent for a minute,
 * and what was revoked is over by the next.
 */
const BEAT_MS = 20 * SECOND_MS;

/** A listener to an event stream. */
interface Listener extends ListenerNames {
  /** Returns who it is now and what they may do; null when the session or token is over. */
  now: () => Promise<Principal | null>;
}

/** Keeps the event streams that are open. */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(EventStreams.name);
  private readonly streams = new Map<EventStream, () => void>();
  private isOver = false;

  constructor(
    private readonly signals: Signals,
    private readonly forms: FormQueries,
  ) {}

  /**
   * Answers a request with the events of the forms that the listener may see, until either side ends it.
   * @throws NotAcceptable when the request does not ask for a stream by name: others would wait for its end
   * @throws TooManyStreams, TooManyStreamsOfAccount, StreamsFull
   */
  async serve(listener: Listener, response: ServerResponse) {
    const { accept = '' } = response.req.headers;
    if (!accept.includes(EVENT_STREAM)) throw new NotAcceptable(EVENT_STREAM);
    this.assertFew(listener);
    if (this.isOver || this.streams.size >= STREAMS_MAX) throw new StreamsFull();
    const stream = new EventStream(listener, () => this.audibleTo(listener), response);
    this.streams.set(stream, () => undefined);
    response.once('close', () => {
      this.close(stream);
    });
    try {
      if (!(await stream.begin()) || response.req.method === 'HEAD') this.close(stream);
    } catch (error) {
      this.streams.delete(stream);
      throw error;
    }
    if (this.streams.has(stream)) this.run(stream);
  }

  /** Looks at once who still listens. For tests, which do not wait for the next heartbeat. */
  async beat() {
    await Promise.all([...this.streams.keys()].map((stream) => this.beatOf(stream)));
  }

  /** Ends all streams at once: the listener is closed after this, and waits for open requests. */
  beforeApplicationShutdown() {
    this.isOver = true;
    for (const stream of [...this.streams.keys()]) this.close(stream);
  }

  private assertFew({ holder, scope: { accountId, clientId } }: Listener) {
    const all = Array.from(this.streams.keys(), ({ listener }) => listener);
    const own = all.filter((each) => each.holder === holder);
    if (own.length >= STREAMS_OF_HOLDER) throw new TooManyStreams(STREAMS_OF_HOLDER);
    const ofAccount = all.filter(({ scope }) => scope.accountId === accountId);
    if (ofAccount.length >= STREAMS_OF_ACCOUNT) {
      throw new TooManyStreamsOfAccount(STREAMS_OF_ACCOUNT);
    }
    if (clientId === null) return;
    const ofClient = ofAccount.filter(({ scope }) => scope.clientId === clientId);
    if (ofClient.length >= STREAMS_OF_CLIENT) throw new TooManyStreamsOfAccount(STREAMS_OF_CLIENT);
  }

  private run(stream: EventStream) {
    const timer = setInterval(() => void this.beatOf(stream), BEAT_MS).unref();
    const stop = this.signals.listen((changes) => {
      // What could not be looked up is not told: a signal only spares a look.
      stream.tell(changes).catch(() => undefined);
    });
    this.streams.set(stream, () => {
      clearInterval(timer);
      stop();
    });
  }

  private async beatOf(stream: EventStream) {
    try {
      if (await stream.beat()) return;
    } catch (error) {
      // The browser comes back, and is told then what is wrong.
      this.logger.warn('An event stream was ended: who listens could not be asked', { error });
    }
    this.close(stream);
  }

  private close(stream: EventStream) {
    const stop = this.streams.get(stream);
    if (!stop) return;
    this.streams.delete(stream);
    stop();
    stream.end();
  }

  private async audibleTo({ now }: Listener): Promise<Audible | null> {
    const principal = await now();
    if (!principal?.may('see')) return null;
    const few = await this.forms.few(principal);
    const known = few && identifiersOf(few);
    return {
      formsAmong: async (ids) => known ?? identifiersOf(await this.forms.among(principal, ids)),
      events: new Map([
        ...Object.values(FORM_TOPICS).map((topic) => [topic, topic] as const),
        [presenceTopicFor(principal.clientId), PRESENCE],
      ]),
    };
  }
}

function identifiersOf(forms: readonly FormSummary[]) {
  return new Map(forms.map(({ id, identifier }) => [id, identifier]));
}
