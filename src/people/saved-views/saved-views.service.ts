import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Scope, type Principal, NotAllowedHere } from '../../accounts/access/index.js';
import { ClientDeleted, type ClientKey } from '../../clients/clients.service.js';
import { MemberRemoved, PeopleService } from '../members/members.service.js';
import type { Person } from '../person/person.entity.js';
import { MAILED, ScheduledMails } from '../../mail/scheduled-mails.service.js';
import { JobOf, type Turn, firstUuidAt, makeUuid, settledBefore } from '../../platform/index.js';
import { Jobs, type Job, UnitOfWork } from '../../platform/database/index.js';
import { filterPart, withParts } from '../../submissions/filter/filter-line.js';
import { FilterLines } from '../../search/lines/filter-lines.service.js';
import { assertMayTriage } from '../../triage/marks/triage.service.js';
import { ownerOf, SavedView, type ViewSettings } from './saved-view.entity.js';
import { TooManyViews, ViewNotFound } from './saved-view.errors.js';
import { SavedViewsRepository } from './saved-views.repository.js';
import { type SignedIn, SignInService } from '../sign-in/sign-in.service.js';
import { AddressNotVerified } from '../person/person.errors.js';
import { nextTime, type Every } from '../../mail/parts/message.js';
import { OptIns } from '../../deliveries/holds/holds.service.js';
import { keyOf, FROM_NEWEST } from '../../submissions/rows/submission-ids.js';
import { viewDigestMail, type ViewDigestContent } from '../../mail/messages/owner-mail.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';

/** Kind of the jobs that send digests. */
const DIGEST = 'view_digest';
/** Hour at which a digest is sent, by the clocks of the person. */
const HOUR = 8;
/** Most views of one reader in one place, and of each team. */
const VIEWS_MAX = 50;

/**
 * Keeps lines of filters under names. A view is a line and nothing else: what it shows is read with the rights of
 * whoever looks.
 */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly views: SavedViewsRepository,
    private readonly jobs: Jobs,
    private readonly filters: FilterLines,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @MemberRemoved()
  async removeOf(tx: EntityManager, scope: Scope, { id: personId }: Person): Promise<void> {
    const reader = { kind: 'person', id: personId, name: '', address: null } as const;
    await this.views.in(tx).removeOf(scope, ownerOf({ reader }));
    const { accountId, clientId } = scope;
    await this.jobs.in(tx).remove({ kind: DIGEST, accountId, clientId, recipient: String(personId) });
  }

  @ClientDeleted()
  async removeIn(tx: EntityManager, { accountId, id }: ClientKey): Promise<void> {
    await this.views.in(tx).removeIn({ accountId, clientId: id });
    await this.jobs.in(tx).remove({ kind: DIGEST, accountId, clientId: id });
  }

  /** Returns the views of whoever asks and the team's, by name. */
  list(principal: Principal): Promise<SavedView[]> {
    return this.views.listFor(principal);
  }

  /** @throws ViewNotFound */
  async show(principal: Principal, id: Buffer | null): Promise<SavedView> {
    const view = id && (await this.views.find(principal, id));
    if (!view) throw new ViewNotFound();
    return view;
  }

  /**
   * Saves a filter.
   * @param form identifier of the form that alone is meant; null for all that the line means
   * @throws FilterUnclear, FormNotFound, TooManyViews
   * @throws MissingRight, ActionForbidden for the team's, without the right to triage
   */
  async create(principal: Principal, settings: ViewSettings, form: string | null): Promise<SavedView> {
    const line = await this.read(principal, settings.line, form);
    if (settings.isTeams) assertMayTriage(principal);
    const view = SavedView.create(principal, { ...settings, line });
    await this.unitOfWork.run((tx) => this.store(tx, principal, view));
    return view;
  }

  /**
   * Changes a view. One that is the team's no more is that of whoever changes it.
   * @throws ViewNotFound, FilterUnclear, TooManyViews
   * @throws MissingRight, ActionForbidden for the team's, without the right to triage
   */
  async change(principal: Principal, id: Buffer | null, settings: Partial<ViewSettings>): Promise<SavedView> {
    const view = await this.show(principal, id);
    if (view.isTeams || settings.isTeams === true) assertMayTriage(principal);
    if (settings.line !== undefined) await this.read(principal, settings.line, null);
    const isMoved = settings.isTeams !== undefined && settings.isTeams !== view.isTeams;
    view.change(principal, settings);
    await this.unitOfWork.run((tx) => (isMoved ? this.store(tx, principal, view) : this.views.in(tx).save(view)));
    return view;
  }

  /**
   * @throws ViewNotFound
   * @throws MissingRight, ActionForbidden for the team's, without the right to triage
   */
  async delete(principal: Principal, id: Buffer | null) {
    const view = await this.show(principal, id);
    if (view.isTeams) assertMayTriage(principal);
    await this.unitOfWork.run(async (tx) => {
      await this.views.in(tx).remove(view);
      await this.jobs.in(tx).remove({ kind: DIGEST, subject: idText(view.id) });
    });
  }

  private async store(tx: EntityManager, principal: Principal, view: SavedView) {
    const views = this.views.in(tx);
    if ((await views.countOf(principal, view.owner)) >= VIEWS_MAX) throw new TooManyViews(VIEWS_MAX);
    await views.save(view);
  }

  /** Returns the line, about one form if it is named, after it was understood. */
  private async read(principal: Principal, line: string, form: string | null) {
    if (form === null) {
      await this.filters.read(principal, line);
      return line;
    }
    await this.filters.readFor(principal, form, line);
    return withParts(line, 'form', [filterPart('form', form)]);
  }
}

/** Keeps who is told of which saved view by mail, and how often: each has a job. */
@Injectable()
export class ViewDigestsService {
  constructor(
    private readonly jobs: Jobs,
    private readonly views: SavedViewsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Tells how often a person is told of a view; null for never.
   * @throws NotAllowedHere, ViewNotFound
   */
  async show(signedIn: SignedIn, id: Buffer | null): Promise<Every | null> {
    const view = await this.viewOf(signedIn, id);
    return (await this.of(readerOf(signedIn), [view])).get(idText(view.id)) ?? null;
  }

  /** Returns how often a person is told of each of these views; ids as hexadecimal digits. */
  async of({ id }: { id: number }, views: readonly SavedView[]): Promise<Map<string, Every>> {
    const subject = views.map((view) => idText(view.id));
    const found = await this.jobs.list({ kind: DIGEST, subject, recipient: String(id) });
    return new Map(found.map((job) => [job.subject, stateOf(job).every]));
  }

  /**
   * Tells a person of a view from now on, at eight by their clocks.
   * @throws NotAllowedHere, ViewNotFound, AddressNotVerified
   */
  async subscribe(signedIn: SignedIn, id: Buffer | null, every: Every) {
    const view = await this.viewOf(signedIn, id);
    const { person } = signedIn;
    const { timeZone } = person;
    if (person.verifiedAt === null) throw new AddressNotVerified(person.email);
    const { accountId, clientId } = view;
    const key = { kind: DIGEST, subject: idText(view.id), recipient: String(person.id) };
    await this.unitOfWork.run(async (tx) => {
      const jobs = this.jobs.in(tx);
      const known = await jobs.find(key);
      const toldUpTo = known ? stateOf(known).toldUpTo : idText(makeUuid());
      const state: DigestState = { every, timeZone, toldUpTo };
      const nextAt = nextTime(every, HOUR, timeZone, this.unitOfWork.now());
      await jobs.put({ ...key, accountId, clientId, nextAt, state, ...(known && { id: known.id }) });
    });
  }

  /** Tells a person of a view no more. @throws NotAllowedHere, ViewNotFound */
  async unsubscribe(signedIn: SignedIn, id: Buffer | null) {
    const subject = idText((await this.viewOf(signedIn, id)).id);
    const recipient = String(signedIn.person.id);
    await this.unitOfWork.run((tx) => this.jobs.in(tx).remove({ kind: DIGEST, subject, recipient }));
  }

  private async viewOf({ principal }: SignedIn, id: Buffer | null) {
    if (!principal?.may('see')) throw new NotAllowedHere();
    return this.views.show(principal, id);
  }
}

/** Returns who looks: the person as whom an owner sees the pages, else the person. */
function readerOf({ person, view }: SignedIn): { id: number } {
  return view?.person ?? person;
}

/** Submissions that a digest lists, and up to how many it counts. */
const LISTED = 5;
const COUNTED_MAX = 1_000;

/** The part of a digest that depends on what came. */
type News = Pick<ViewDigestContent, 'count' | 'newest'>;

/** Sends the digests of saved views, with the rights that the person has then. */
@Injectable()
export class ViewDigestMails {
  constructor(
    private readonly mails: ScheduledMails,
    private readonly views: SavedViewsRepository,
    private readonly signIns: SignInService,
    private readonly people: PeopleService,
    private readonly filters: FilterLines,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly optIns: OptIns,
  ) {}

  /** Tells what is new in a view; ends with the view, and with the rights of the person. */
  @JobOf({
    ...{ ...MAILED, kind: DIGEST },
    next: (job, now) => nextTime(stateOf(job).every, HOUR, stateOf(job).timeZone, now),
  })
  async mail(turn: Turn): Promise<void> {
    const { job, now } = turn;
    const personId = Number(job.recipient);
    const person = await this.people.find(personId);
    const principal = await this.signIns.principalIn(job, personId);
    const id = Buffer.from(job.subject, 'hex');
    const view = principal?.may('see') ? await this.views.find(principal, id) : null;
    if (!principal || !person || !view || person.verifiedAt === null) {
      turn.next = null;
      return;
    }
    const { every, toldUpTo } = stateOf(job);
    const settled = firstUuidAt(settledBefore(now));
    const { news, upTo } = await this.newsIn(principal, view, Buffer.from(toldUpTo, 'hex'), settled);
    if (news) {
      const { name, line } = view;
      await this.mails.sendIn(turn, person.email, (end, by) =>
        viewDigestMail({ ...news, name, line, every }, end, by, person.email),
      );
    }
    const last = idText(upTo);
    const state: DigestState = { every, timeZone: person.timeZone, toldUpTo };
    job.state = last > toldUpTo ? { ...state, toldUpTo: last } : state;
  }

  /**
   * Returns what is new in a view, null for nothing, or a filter that cannot be understood any more; and up to which id
   * that was looked for, where a search took too long to end.
   */
  private async newsIn(
    principal: Principal,
    view: SavedView,
    after: Buffer,
    settled: Buffer,
  ): Promise<{ news: News | null; upTo: Buffer }> {
    try {
      const selection = await this.filters.read(principal, view.line);
      const isNew = (id: Buffer) => id.compare(after) > 0 && id.compare(settled) < 0;
      const counted = await this.finder.find(selection, {
        ...{ order: 'ASC', bound: ['>', after], limit: COUNTED_MAX },
      });
      const waiting = new Set((await this.optIns.waitingAmong(counted.ids)).map(keyOf));
      const isTold = (id: Buffer) => isNew(id) && !waiting.has(keyOf(id));
      const count = counted.ids.filter(isTold).length;
      if (count === 0) {
        const { searchedTo } = counted;
        const isWhole = searchedTo === null || searchedTo.compare(settled) > 0;
        return { news: null, upTo: isWhole ? settled : searchedTo };
      }
      const isMore = counted.hasMore || counted.searchedTo !== null;
      const { ids } = isMore
        ? await this.finder.find(selection, { order: 'DESC', bound: FROM_NEWEST, limit: LISTED })
        : { ids: counted.ids.filter(isTold).slice(-LISTED).reverse() };
      const newest = [];
      for await (const some of this.inbox.read(selection, ids)) newest.push(...some);
      // The mail says "over": what was not looked at is not told later.
      return { news: { count: isMore ? `Over ${count}` : String(count), newest }, upTo: settled };
    } catch (error) {
      if (error instanceof FilterUnclear) return { news: null, upTo: settled };
      throw error;
    }
  }
}

/** Data of the job of a digest. */
interface DigestState {
  every: Every;
  /** IANA name, of the person. */
  timeZone: string;
  /** Id of the last submission that a digest covered, as hexadecimal digits; later ones are new. */
  toldUpTo: string;
}

function stateOf({ state }: Job) {
  return state as DigestState;
}

/** Returns an id as jobs name it; ids of version 7 keep their order. */
export function idText(id: Buffer) {
  return id.toString('hex');
}
