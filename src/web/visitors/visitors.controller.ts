import { Get, Param, Post } from '@nestjs/common';
import { Allows, Principal } from '../../accounts/access/index.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { parseEmailAddress, formatUuid, parseUuid, uuidOf } from '../../platform/index.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { filterPart } from '../../submissions/filter/filter-line.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { VisitorNotFound } from '../../submissions/model/submission.errors.js';
import { visitorLookup } from '../../submissions/model/submitted-values.js';
import { VisitorsService } from '../../search/visitors/visitors.service.js';
import { InboxRows, ROWS } from '../rows/rows.js';
import { textOf } from '../parts/index.js';
import { visitorWords, EraseVisitorPage, FindVisitorPage, VisitorPage } from './visitors.page.js';
import { visitorPath } from '../addresses/folders.js';
import { FROM_NEWEST } from '../../submissions/rows/submission-ids.js';
import { goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';

/** Serves what a visitor sent under an email address, over all forms, and erases it. */
@WebController('visitors')
export class VisitorPagesController {
  constructor(
    private readonly visitors: VisitorsService,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly rows: InboxRows,
  ) {}

  /** Ask for an address; with one, go to what was sent under it. */
  @Get()
  @Allows('see')
  async find(@Asked() { principal, query: sent }: PageInput) {
    const email = textOf(sent, 'email').trim();
    const path = visitorPath(email);
    const isStored = path !== null && (await this.visitors.traces(principal, email)).submissions > 0;
    if (isStored) return goTo(path);
    const message = path === null ? 'Enter an email address such as jane@example.com' : `No submissions from ${email}.`;
    const problems = email === '' ? [] : [{ field: 'email', code: 'visitor_not_found', message }];
    const receipt = parseUuid(textOf(sent, 'receipt'));
    return page(FindVisitorPage, { ...{ email, problems }, receipt: receipt && formatUuid(receipt) });
  }

  /** List what was sent under an address, newest first. */
  @Get(':email')
  @Allows('see')
  async show(@Asked() { principal, query: sent }: PageInput, @Param('email') text: string) {
    const { email, path, traces } = await this.get(principal, text);
    const before = uuidOf(textOf(sent, 'before'));
    const forms = traces.forms.map(({ form }) => form);
    const filter = { ...EVERYTHING, values: [visitorLookup(email)] };
    const bound = before ? (['<', before] as const) : FROM_NEWEST;
    const selection = { scope: principal, forms, filter };
    const { ids, next } = await this.finder.find(selection, { order: 'DESC', bound, limit: ROWS });
    return page(VisitorPage, {
      ...{ email, path, traces },
      rows: await this.rows.of(principal, ids, this.inbox.read(selection, ids)),
      line: filterPart('visitor', email),
      older: next ? `${path}?before=${formatUuid(next)}` : null,
      isOlder: before !== null,
      mayErase: principal.may('erase'),
    });
  }

  /** Show what goes when the person is erased. */
  @Get(':email/erase')
  @Allows('erase')
  async preview(@Asked() { principal }: PageInput, @Param('email') text: string) {
    const found = await this.get(principal, text);
    return page(EraseVisitorPage, { ...found, problems: [] });
  }

  /** Erase it for good, once the address has been typed. */
  @Post(':email/erase')
  @Allows('erase')
  @Fresh()
  async erase(@Asked() { principal, typed }: PageInput, @Param('email') text: string) {
    const found = await this.get(principal, text);
    if (textOf(typed, 'typed_email').trim().toLowerCase() !== found.email) {
      const { wrong: message } = visitorWords;
      const problems = [{ field: 'typed_email', code: 'wrong_address', message }];
      return page(EraseVisitorPage, { ...found, problems });
    }
    const { receipt } = await this.visitors.erase(principal, found.email);
    return goTo(`/visitors?receipt=${receipt ?? ''}`, 'visitor_erased');
  }

  /** @throws VisitorNotFound */
  private async get(principal: Principal, text: string) {
    const email = parseEmailAddress(text)?.toLowerCase();
    const path = visitorPath(text);
    if (email === undefined || path === null) throw new VisitorNotFound();
    return { email, path, traces: await this.visitors.get(principal, email) };
  }
}
