import { Injectable, Logger } from '@nestjs/common';
import { OptIns } from '../deliveries/holds/opt-ins.service.js';
import { keyOf } from '../submissions/rows/byte-pieces.js';
import { BrandsService } from '../brands/brands.service.js';
import type { Principal } from '../access/principal.js';
import { Mailer } from '../mail/mailer.js';
import { sendAs, sentBy } from '../mail/parts/sent-by.js';
import { viewDigestMail, type ViewDigestContent } from '../mail/messages/view-digest-mail.js';
import { PeopleService } from '../people/members/people.service.js';
import type { Person } from '../people/person/person.entity.js';
import { SignInService } from '../people/sign-in/sign-in.service.js';
import { Config } from '../platform/config/config.js';
import { turnIdOf } from '../platform/database/due-rows.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { firstUuidAt, settledBefore } from '../platform/kernel/uuid.js';
import { InboxService } from '../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../search/finder/submission-finder.js';
import { FilterLines } from '../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../submissions/model/submission.errors.js';
import type { SavedView } from './saved-view.entity.js';
import { SavedViewsRepository } from './saved-views.repository.js';
import type { ViewDigest } from './view-digest.entity.js';
import { ViewDigestsRepository } from './view-digests.repository.js';
import { ViewDigestsService } from './view-digests.service.js';
import { BackgroundTask, type TaskRun } from '../platform/background/background-task.js';
import { SECOND_MS } from '../platform/kernel/time/durations.js';
import { LeasedWork } from '../platform/background/leased-work.js';
import { FROM_NEWEST } from '../submissions/rows/submission-ids.js';

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
