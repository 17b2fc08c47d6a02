import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NotAllowedHere } from '../access/access.errors.js';
import { ClientsService } from '../clients/clients.service.js';
import { MembersService } from '../people/members/members.service.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { AddressNotVerified } from '../people/person/person.errors.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DAY_MS } from '../platform/kernel/time/durations.js';
import { SigningService } from '../platform/signed-links/signing.service.js';
import type { SavedView } from './saved-view.entity.js';
import { DigestLinkOver } from './saved-view.errors.js';
import { SavedViewsService } from './saved-views.service.js';
import type { Every } from './digest-times.js';
import { ViewDigest } from './view-digest.entity.js';
import { ViewDigestsRepository } from './view-digests.repository.js';

/** Purpose of the signed link in a digest. */
const LINK = 'view-digest';
const LINK_TTL_MS = 400 * DAY_MS;

/** Keeps who is told of which saved view by mail, and how often. */
@Injectable()
export class ViewDigestsService implements OnModuleInit {
  constructor(
    private readonly digests: ViewDigestsRepository,
    private readonly views: SavedViewsService,
    private readonly members: MembersService,
    private readonly clients: ClientsService,
    private readonly signing: SigningService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.views.onDeleted((tx, { id }) => this.digests.in(tx).removeOfView(id));
    this.members.onRemoved((tx, scope, personId) => this.digests.in(tx).removeIn(scope, personId));
    this.clients.onDeleted((tx, { accountId, id }) =>
      this.digests.in(tx).removeIn({ accountId, clientId: id }),
    );
  }

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
