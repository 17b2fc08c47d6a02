import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Scope, type Principal, NotAllowedHere } from '../access/principal.js';
import { ClientDeleted, type ClientKey } from '../clients/clients.service.js';
import { MemberRemoved, PeopleService } from '../people/members/members.service.js';
import { turnIdOf } from '../platform/database/leased-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { filterPart, withParts } from '../submissions/filter/filter-line.js';
import { FilterLines } from '../search/lines/filter-lines.service.js';
import { assertMayTriage } from '../triage/marks/triage.service.js';
import { ownerOf, SavedView, type ViewSettings, ViewDigest } from './saved-view.entity.js';
import { TooManyViews, ViewNotFound, DigestLinkOver } from './saved-view.errors.js';
import { SavedViewsRepository, ViewDigestsRepository } from './saved-views.repository.js';
import { type SignedIn, SignInService } from '../people/sign-in/sign-in.service.js';
import { AddressNotVerified } from '../people/person/person.errors.js';
import { DAY_MS, SECOND_MS } from '../platform/kernel/time.js';
import { SigningService } from '../platform/signed-links/signing.service.js';
import type { Every } from './digest-times.js';
import { OptIns } from '../deliveries/holds/holds.service.js';
import { keyOf, FROM_NEWEST } from '../submissions/rows/submission-ids.js';
import { BrandsService } from '../brands/brands.service.js';
import { Mailer } from '../mail/mailer.js';
import { sendAs, sentBy } from '../mail/parts/message.js';
import { viewDigestMail, type ViewDigestContent } from '../mail/messages/owner-mail.js';
import type { Person } from '../people/person/person.entity.js';
import { Config } from '../platform/config/config.js';
import { firstUuidAt, settledBefore } from '../platform/kernel/uuid.js';
import { InboxService } from '../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../search/finder/submission-finder.js';
import { FilterUnclear } from '../submissions/model/submission.errors.js';
import { BackgroundTask, type TaskRun } from '../platform/background/task-runner.js';
import { LeasedWork } from '../platform/background/leased-work.js';

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
    private readonly digests: ViewDigestsRepository,
    private readonly filters: FilterLines,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @MemberRemoved()
  async removeOf(tx: EntityManager, scope: Scope, personId: number): Promise<void> {
    const reader = { kind: 'person', id: personId, name: '', address: null } as const;
    await this.views.in(tx).removeOf(scope, ownerOf({ reader }));
    await this.digests.in(tx).removeIn(scope, personId);
  }

  @ClientDeleted()
  async removeIn(tx: EntityManager, { accountId, id }: ClientKey): Promise<void> {
    await this.views.in(tx).removeIn({ accountId, clientId: id });
    await this.digests.in(tx).removeIn({ accountId, clientId: id });
  }

  /** Returns the views of whoever asks and those of the team, by name. */
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
  async create(
    principal: Principal,
    settings: ViewSettings,
    form: string | null,
  ): Promise<SavedView> {
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
  async change(
    principal: Principal,
    id: Buffer | null,
    settings: Partial<ViewSettings>,
  ): Promise<SavedView> {
    const view = await this.show(principal, id);
    if (view.isTeams || settings.isTeams === true) assertMayTriage(principal);
    if (settings.line !== undefined) await this.read(principal, settings.line, null);
    const isMoved = settings.isTeams !== undefined && settings.isTeams !== view.isTeams;
    view.change(principal, settings);
    await this.unitOfWork.run((tx) =>
      isMoved ? this.store(tx, principal, view) : this.views.in(tx).save(view),
    );
    return view;
  }

  /**
   * @throws ViewNotFound
   * @throws MissingRight, ActionForbidden for the team's, without the right to triage
   */
  async delete(principal: Principal, id: Buffer | null): Promise<void> {
    const view = await this.show(principal, id);
    if (view.isTeams) assertMayTriage(principal);
    await this.unitOfWork.run(async (tx) => {
      await this.views.in(tx).remove(view);
      await this.digests.in(tx).removeOfView(view.id);
    });
  }

  private async store(tx: EntityManager, principal: Principal, view: SavedView): Promise<void> {
    const views = this.views.in(tx);
    if ((await views.countOf(principal, view.owner)) >= VIEWS_MAX)
      throw new TooManyViews(VIEWS_MAX);
    await views.save(view);
  }

  /** Returns the line, about one form if it is named, after it was understood. */
  private async read(principal: Principal, line: string, form: string | null): Promise<string> {
    if (form === null) {
      await this.filters.read(principal, line);
      return line;
    }
    await this.filters.readFor(principal, form, line);
    return withParts(line, 'form', [filterPart('form', form)]);
  }
}

/** Purpose of the signed link in a digest. */
const LINK = 'view-digest';
const LINK_TTL_MS = 400 * DAY_MS;

/** Keeps who is told of which saved view by mail, and how often. */
@Injectable()
export class ViewDigestsService {
  constructor(
    private readonly digests: ViewDigestsRepository,
    private readonly views: SavedViewsService,
    private readonly signing: SigningService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Tells how often a person is told of a view; null for never.
   * @throws NotAllowedHere, ViewNotFound
   */
  async show(signedIn: SignedIn, id: Buffer | null): Promise<Every | null> {
    const view = await this.viewOf(signedIn, id);
    return (await this.digests.find(view.id, readerOf(signedIn).id))?.every ?? null;
  }

  /** Returns how often a person is told of each of these views; ids as Latin-1. */
  async of({ id }: { id: number }, views: readonly SavedView[]): Promise<Map<string, Every>> {
    const ids = views.map((view) => view.id);
    const found = await this.digests.listFor(id, ids);
    return new Map(found.map(({ viewId, every }) => [viewId.toString('latin1'), every]));
  }

  /**
   * Tells a person of a view from now on, at eight by their clocks.
   * @throws NotAllowedHere, ViewNotFound, AddressNotVerified
   */
  async subscribe(signedIn: SignedIn, id: Buffer | null, every: Every): Promise<void> {
    const view = await this.viewOf(signedIn, id);
    const { person } = signedIn;
    if (person.verifiedAt === null) throw new AddressNotVerified(person.email);
    await this.unitOfWork.run(async (tx) => {
      const digests = this.digests.in(tx);
      const digest =
        (await digests.find(view.id, person.id)) ?? ViewDigest.create(view, person.id, view.id);
      digest.schedule(every, person.timeZone, this.unitOfWork.now());
      await digests.save(digest);
    });
  }

  /** Tells a person of a view no more. @throws NotAllowedHere, ViewNotFound */
  async unsubscribe(signedIn: SignedIn, id: Buffer | null): Promise<void> {
    const view = await this.viewOf(signedIn, id);
    const digest = await this.digests.find(view.id, signedIn.person.id);
    if (digest) await this.unitOfWork.run((tx) => this.digests.in(tx).remove(digest));
  }

  /** Makes the part of an address that ends a digest without signing in. */
  async linkFor({ id }: ViewDigest): Promise<string> {
    return this.signing.sign(LINK, id, new Date(this.unitOfWork.now().getTime() + LINK_TTL_MS));
  }

  /** Checks a link. @throws DigestLinkOver when it was altered, or is too old */
  async open(link: string): Promise<Buffer> {
    const id = await this.signing.verify(LINK, link, this.unitOfWork.now());
    if (id === null) throw new DigestLinkOver();
    return id;
  }

  /** Ends what a link is for; what has ended already stays so. @throws DigestLinkOver */
  async end(link: string): Promise<void> {
    const id = await this.open(link);
    await this.unitOfWork.run((tx) => this.digests.in(tx).remove({ id }));
  }

  private async viewOf({ principal }: SignedIn, id: Buffer | null): Promise<SavedView> {
    if (!principal?.may('see')) throw new NotAllowedHere();
    return this.views.show(principal, id);
  }
}

/** Returns who looks: the person as whom an owner sees the pages, else the person. */
function readerOf({ person, view }: SignedIn): { id: number } {
  return view?.person ?? person;
}

/** Time until a mail that could not be sent is tried again, in seconds. */
const AGAIN_SECONDS = 600;
/** Submissions that a digest lists, and up to how many it counts. */
const LISTED = 5;
const COUNTED_MAX = 1_000;

/**
 * Sends the digests of saved views. Workers on one database claim them with a lease, and with the rights that the
 * person has then. A worker that is killed between the mail server's answer and its commit leaves a digest that is
 * sent once more under the same id of a message, as with other mails.
 */
@Injectable()
export class ViewDigestWorker {
  private readonly logger = new Logger(ViewDigestWorker.name);

  constructor(
    private readonly digests: ViewDigestsRepository,
    private readonly subscriptions: ViewDigestsService,
    private readonly views: SavedViewsRepository,
    private readonly signIns: SignInService,
    private readonly people: PeopleService,
    private readonly brands: BrandsService,
    private readonly filters: FilterLines,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly optIns: OptIns,
    private readonly mailer: Mailer,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Sends what is due. */
  @BackgroundTask('send digests of views', 30 * SECOND_MS)
  work({ now, signal }: TaskRun): Promise<void> {
    const { digests } = this;
    const due = new LeasedWork(this.unitOfWork, digests.leasesAt(now));
    return due.each(async ({ row: digest, token }) => {
      try {
        await this.take(digest, token, now);
      } catch (error) {
        this.logger.warn('A digest could not be sent and will be tried again', { error });
        await this.unitOfWork.run((tx) => digests.in(tx).release(digest, token, AGAIN_SECONDS));
      }
    }, signal);
  }

  private async take(digest: ViewDigest, token: Buffer, now: Date): Promise<void> {
    const person = await this.people.find(digest.personId);
    const principal = await this.signIns.principalIn(digest, digest.personId);
    const view = principal?.may('see') ? await this.views.find(principal, digest.viewId) : null;
    if (!principal || !person || !view || person.verifiedAt === null) {
      await this.unitOfWork.run((tx) => this.digests.in(tx).remove(digest));
      return;
    }
    const settled = firstUuidAt(settledBefore(now));
    const { content, upTo } = await this.contentOf(principal, view, digest.toldUpTo, settled);
    if (content) await this.send(digest, person, view, content);
    if (upTo.compare(digest.toldUpTo) > 0) digest.toldUpTo = upTo;
    digest.schedule(digest.every, person.timeZone, now);
    await this.unitOfWork.run((tx) => this.digests.in(tx).advance(digest, token));
  }

  /**
   * Returns what is new in a view, null for nothing, or a filter that cannot be understood any more; and up to which id
   * that was looked for, where a search took too long to end.
   */
  private async contentOf(
    principal: Principal,
    view: SavedView,
    after: Buffer,
    settled: Buffer,
  ): Promise<{ content: Pick<ViewDigestContent, 'count' | 'newest'> | null; upTo: Buffer }> {
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
        return { content: null, upTo: isWhole ? settled : searchedTo };
      }
      const isMore = counted.hasMore || counted.searchedTo !== null;
      const { ids } = isMore
        ? await this.finder.find(selection, { order: 'DESC', bound: FROM_NEWEST, limit: LISTED })
        : { ids: counted.ids.filter(isTold).slice(-LISTED).reverse() };
      const newest = [];
      for await (const some of this.inbox.read(selection, ids)) newest.push(...some);
      // The mail says "over": what was not looked at is not told later.
      return {
        content: { count: isMore ? `Over ${count}` : String(count), newest },
        upTo: settled,
      };
    } catch (error) {
      if (error instanceof FilterUnclear) return { content: null, upTo: settled };
      throw error;
    }
  }

  private async send(
    digest: ViewDigest,
    { email }: Person,
    { name, line }: SavedView,
    found: Pick<ViewDigestContent, 'count' | 'newest'>,
  ): Promise<void> {
    const by = sentBy(await this.brands.of(digest), this.config);
    const { baseUrl, from, name: accountName } = by;
    const link = await this.subscriptions.linkFor(digest);
    const content = { ...found, accountName, name, line, every: digest.every };
    const address = `${baseUrl}/recipients/digests/${link}`;
    const message = viewDigestMail(content, { baseUrl, end: address }, from, email);
    await this.mailer.send(turnIdOf(digest), sendAs(by, message));
  }
}
