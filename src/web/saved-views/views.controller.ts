import { Get, Post } from '@nestjs/common';
import { Allows } from '../../accounts/access/index.js';
import { type FieldProblem, formatUuid } from '../../platform/index.js';
import { ChangeViewDto, CreateViewDto } from '../../people/saved-views/saved-view.dto.js';
import type { SavedView } from '../../people/saved-views/saved-view.entity.js';
import { EVERY } from '../../mail/parts/message.js';
import { idText, ViewDigestsService, SavedViewsService } from '../../people/saved-views/saved-views.service.js';
import { checked, isTicked, textOf, type Typed } from '../parts/index.js';
import { inboxAddress } from '../addresses/folders.js';
import { ViewsPage, type ViewShown, type ViewTyped } from './views.page.js';
import { attempt, goTo, page, type PageAnswer, Asked, type PageInput, WebController } from '../kit/index.js';

/** Serves the page of saved views. */
@WebController('views')
export class SavedViewPagesController {
  constructor(
    private readonly views: SavedViewsService,
    private readonly digests: ViewDigestsService,
  ) {}

  /** List the views. */
  @Get()
  @Allows('see')
  list(@Asked() input: PageInput) {
    return this.page(input, null);
  }

  /** Save a filter, and show it. */
  @Post()
  @Allows('see')
  create(@Asked() input: PageInput) {
    const { principal } = input;
    const typed = typedIn(null, input.typed);
    return this.take(input, typed, async () => {
      const view = { name: typed.name, q: typed.line, team: typed.isTeams };
      const settings = CreateViewDto.settings(await checked(CreateViewDto, { view }));
      const saved = await this.views.create(principal, settings, null);
      return goTo(inboxAddress(saved.line), 'view_saved');
    });
  }

  /** Rename a view, change its filter, or share it. */
  @Post(':id')
  @Allows('see')
  async change(@Asked() input: PageInput) {
    const { principal, typed: sent, id } = input;
    const before = await this.views.show(principal, id);
    const typed = typedIn(formatUuid(before.id), sent);
    return this.take(input, typed, async () => {
      const { name, line, isTeams } = typed;
      const view = { name, q: line, ...(principal.may('triage') && { team: isTeams }) };
      const settings = ChangeViewDto.settings(await checked(ChangeViewDto, { view }));
      await this.views.change(principal, id, settings);
      return goTo('/views', 'saved');
    });
  }

  /** Delete a view. */
  @Post(':id/delete')
  @Allows('see')
  async delete(@Asked() { principal, id }: PageInput) {
    await this.views.delete(principal, id);
    return goTo('/views', 'view_deleted');
  }

  /** Be told of a view by mail, or no more. */
  @Post(':id/digest')
  @Allows('see')
  async digest(@Asked() { signedIn, typed: sent, id }: PageInput) {
    const every = EVERY.find((each) => each === textOf(sent, 'every'));
    if (every) await this.digests.subscribe(signedIn, id, every);
    else await this.digests.unsubscribe(signedIn, id);
    return goTo('/views', every ? 'digest_on' : 'digest_off');
  }

  /** Makes a change; shows the page again with what was typed when that breaks a rule. */
  private take(input: PageInput, typed: ViewTyped, change: () => Promise<PageAnswer>) {
    return attempt(change, (found) => {
      const problems = found.map((each) => ({ ...each, field: fieldOf(each) }));
      return this.page(input, { ...typed, problems });
    });
  }

  private async page({ principal, signedIn }: PageInput, typed: ViewTyped | null) {
    const views = await this.views.list(principal);
    const reader = signedIn.view?.person ?? signedIn.person;
    const told = await this.digests.of(reader, views);
    return page(ViewsPage, {
      rows: views.map((each) => ({ ...shownView(each), every: told.get(idText(each.id)) ?? ('' as const) })),
      mayBeTold: reader.verifiedAt !== null,
      mayShare: principal.may('triage'),
      typed,
    });
  }
}

/** Returns a view as pages show it. */
export function shownView({ id, name, line, isTeams }: SavedView): ViewShown {
  return { id: formatUuid(id), name, line, isTeams };
}

function typedIn(id: string | null, sent: Typed | undefined): ViewTyped {
  return {
    id,
    name: textOf(sent, 'view.name'),
    line: textOf(sent, 'view.q').trim(),
    isTeams: isTicked(sent, 'view.team'),
    problems: [],
  };
}

/** Returns the field of the page: a line that cannot be understood is `q` elsewhere. */
function fieldOf({ field }: FieldProblem) {
  return field === 'q' ? 'view.q' : field;
}
