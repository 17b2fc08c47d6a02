import { Get, Post } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { RoutesRequire, Principal } from '../../accounts/access/index.js';
import { ReadsLong } from '../../platform/http/index.js';
import { formatUuid, parseUuid } from '../../platform/index.js';
import { SetSpamSettingsDto } from '../../spam/spam-settings.dto.js';
import { SpamLists } from '../../spam/lists/spam-lists.service.js';
import { SpamSettingsService } from '../../spam/spam-settings.service.js';
import { RejudgeService } from '../../jobs/queue/rejudge.service.js';
import { SpamStatisticsService } from '../../statistics/spam-statistics.service.js';
import { submissionAddress } from '../addresses/folders.js';
import { lineOf } from '../submission/submission-views.js';
import { checked, isTicked, textOf, type Typed } from '../parts/index.js';
import { AllowDomainDto } from '../../search/origins/origins.dto.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { bodyOf, shownRules, typedRules } from './spam.js';
import { SpamPage, type SpamPageProps, SpamLearningPage } from './spam.page.js';
import { attempt, formPage, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';
import { MARKS_MIN, SpamLearning } from '../../spam/learning/spam-lessons.service.js';

/** Pages about what the spam filter has learnt from marks. */
@WebController('spam-learning')
@RoutesRequire('people:write')
export class SpamLearningPagesController {
  constructor(private readonly learning: SpamLearning) {}

  /** Show from how many marks. */
  @Get()
  async show(@Asked() { principal }: PageInput) {
    const learnt = await this.learning.show(principal);
    return page(SpamLearningPage, { learnt, needed: MARKS_MIN });
  }

  /** Forget it all. */
  @Post('reset')
  async reset(@Asked() { principal }: PageInput) {
    await this.learning.reset(principal);
    return goTo('/spam-learning', 'spam_learning_reset');
  }
}

/** Input to show instead of stored values, with its problems. */
type Shown = Pick<SpamPageProps, 'problems'> & Partial<Pick<SpamPageProps, 'typed' | 'lists' | 'again'>>;

/** Serves the page that says how a form judges what is sent, and what it blocks and allows. */
@WebController('forms/:identifier/spam')
@RoutesRequire('forms:write')
export class SpamPagesController {
  constructor(
    private readonly forms: FormQueries,
    private readonly settings: SpamSettingsService,
    private readonly lists: SpamLists,
    private readonly statistics: SpamStatisticsService,
    private readonly rejudging: RejudgeService,
    private readonly origins: OriginsService,
  ) {}

  /** Show what looks for spam, and what it is worth. */
  @Get()
  async show(@Asked() { principal, identifier }: PageInput) {
    return this.page(principal, identifier);
  }

  /** Change how the form judges from now on. */
  @Post()
  async change(@Asked() { principal, identifier, typed: sent }: PageInput) {
    const typed = typedRules(sent, await this.settings.get(principal, identifier));
    return attempt(
      async () => {
        const { spam } = await checked(SetSpamSettingsDto, bodyOf(typed));
        await this.settings.change(principal, identifier, SetSpamSettingsDto.change(spam));
        return goTo(`/forms/${identifier}/spam`, 'saved');
      },
      (problems) => this.page(principal, identifier, { typed, problems }),
    );
  }

  /** Replace both lists. */
  @Post('lists')
  @ReadsLong()
  async changeLists(@Asked() { principal, identifier, typed: sent }: PageInput) {
    const lists = { block: textOf(sent, 'lists.block'), allow: textOf(sent, 'lists.allow') };
    return attempt(
      async () => {
        await this.lists.change(principal, identifier, lists);
        return goTo(`/forms/${identifier}/spam`, 'saved');
      },
      (problems) => this.page(principal, identifier, { lists, problems }),
    );
  }

  /** Allow the sender of a submission from now on, and go back to it. */
  @Post('lists/allow')
  async allow(@Asked() { principal, identifier, typed: sent }: PageInput) {
    await this.lists.allow(principal, identifier, textOf(sent, 'entry'));
    return goTo(backFrom(sent, identifier, '/spam'), 'sender_allowed');
  }

  /** Allow what comes from a domain, and go back to where it was asked for: that page, or a submission. */
  @Post('origins')
  async allowDomain(@Asked() { principal, identifier, typed: sent }: PageInput) {
    const { domain } = await checked(AllowDomainDto, { domain: textOf(sent, 'domain') });
    await this.origins.allow(principal, identifier, domain);
    return goTo(backFrom(sent, identifier, '/spam#origins'), 'domain_allowed');
  }

  /** Say what would move if what came in were judged again; with `go`, judge it. */
  @Post('rejudge')
  async rejudge(@Asked() { principal, identifier, typed: sent }: PageInput) {
    const line = textOf(sent, 'q').trim();
    return attempt(
      async () => {
        if (isTicked(sent, 'go')) {
          const { id } = await this.rejudging.start(principal, identifier, line);
          return goTo(`/jobs/${formatUuid(id)}`);
        }
        const preview = await this.rejudging.preview(principal, identifier, line);
        return this.page(principal, identifier, { again: { line, preview }, problems: [] });
      },
      (problems) => this.page(principal, identifier, { again: { line, preview: null }, problems }),
    );
  }

  /** Makes the page; what was refused is shown as it was typed. */
  private async page(principal: Principal, identifier: string, shown: Shown = { problems: [] }) {
    const form = await this.forms.get(principal, identifier);
    return formPage(form, SpamPage, {
      typed: shownRules(await this.settings.get(principal, identifier)),
      lists: await this.lists.get(principal, identifier),
      caught: await this.statistics.latest(principal, identifier, new Date()),
      again: { line: '', preview: null },
      origins: await this.origins.list(principal, identifier),
      ...shown,
    });
  }
}

/** Returns the address of the submission that a button stood at, else of a page of the form. */
function backFrom(sent: Typed | undefined, identifier: string, page: string) {
  const id = parseUuid(textOf(sent, 'submission'));
  if (id === null) return `/forms/${identifier}${page}`;
  return submissionAddress(identifier, formatUuid(id), lineOf(sent));
}
