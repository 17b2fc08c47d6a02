import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { ClientsService } from '../clients/clients.service.js';
import { MembersService } from '../people/members/members.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { filterPart, withParts } from '../submissions/filter/filter-line.js';
import { FilterLines } from '../search/lines/filter-lines.service.js';
import { assertMayTriage } from '../triage/marks/triage.service.js';
import { ownerOf, SavedView, type ViewSettings } from './saved-view.entity.js';
import { TooManyViews, ViewNotFound } from './saved-view.errors.js';
import { SavedViewsRepository } from './saved-views.repository.js';

/** Most views of one reader in one place, and of each team. */
const VIEWS_MAX = 50;

/**
 * Keeps lines of filters under names. A view is a line and nothing else: what it shows is read with the rights of
 * whoever looks.
 */
@Injectable()
export class SavedViewsService implements OnModuleInit {
  private readonly followers: ((tx: EntityManager, view: SavedView) => Promise<void>)[] = [];

  constructor(
    private readonly views: SavedViewsRepository,
    private readonly filters: FilterLines,
    private readonly members: MembersService,
    private readonly clients: ClientsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.members.onRemoved((tx, scope, personId) => {
      const reader = { kind: 'person', id: personId, name: '', address: null } as const;
      return this.views.in(tx).removeOf(scope, ownerOf({ reader }));
    });
    this.clients.onDeleted((tx, { accountId, id }) =>
      this.views.in(tx).removeIn({ accountId, clientId: id }),
    );
  }

  /** Registers a function that runs in each transaction that deletes a view. */
  onDeleted(follow: (tx: EntityManager, view: SavedView) => Promise<void>): void {
    this.followers.push(follow);
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
      for (const follow of this.followers) await follow(tx, view);
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
