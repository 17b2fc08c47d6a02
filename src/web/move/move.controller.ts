import { Get, Param, Post } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { RoutesRequire, Principal } from '../../accounts/access/index.js';
import { AliasesService } from '../../forms/aliases/aliases.service.js';
import { CreateAliasDto } from '../../forms/aliases/alias.dto.js';
import { oldIdIn, asProvider } from '../../forms/aliases/old-address.js';
import { FormsService } from '../../forms/forms.service.js';
import { type FieldProblem, Config } from '../../platform/index.js';
import { RecordId, ReadsLong } from '../../platform/http/index.js';
import { checked, textOf } from '../parts/index.js';
import { AliasesPage, MovePage, type MovePageProps } from './move.page.js';
import { attempt, formPage, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';
import { MakeMoveDto } from '../../moving/moves/dto/move.dto.js';
import { MovesService } from '../../moving/moves/moves.service.js';

const NO_ALIAS_TYPED = { provider: 'formspree', value: '' };

/** Serves the page with the ids of other providers that lead to a form. */
@WebController('forms/:identifier')
@RoutesRequire('forms:write')
export class AliasPagesController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
  ) {}

  /** List the old IDs of a form. */
  @Get('aliases')
  async list(@Asked() { principal, identifier }: PageInput) {
    return this.page(principal, identifier, NO_ALIAS_TYPED, []);
  }

  /** Have an old id lead to a form; a whole address says its provider itself. */
  @Post('aliases')
  async add(@Asked() { principal, identifier, typed: sent }: PageInput) {
    const typed = { provider: textOf(sent, 'alias.provider'), value: textOf(sent, 'alias.value').trim() };
    await this.queries.get(principal, identifier);
    return attempt(
      async () => {
        const { alias } = await checked(CreateAliasDto, { alias: oldIdIn(typed.value) ?? typed });
        await this.aliases.add(principal, identifier, alias.provider, alias.value);
        return goTo(`/forms/${identifier}/aliases`, 'saved');
      },
      (problems) => this.page(principal, identifier, typed, problems),
    );
  }

  /** Have an old id lead nowhere. */
  @Post('aliases/:aliasId/remove')
  async remove(@Asked() { principal, identifier }: PageInput, @Param('aliasId', RecordId) aliasId: number) {
    await this.aliases.remove(principal, identifier, aliasId);
    return goTo(`/forms/${identifier}/aliases`, 'saved');
  }

  /** Set how a form answers. */
  @Post('dialect')
  async setDialect(@Asked() { principal, identifier, typed: sent }: PageInput) {
    const dialect = asProvider(textOf(sent, 'dialect'));
    await this.forms.change(principal, identifier, { dialect });
    return goTo(`/forms/${identifier}/aliases`, 'saved');
  }

  private async page(
    principal: Principal,
    identifier: string,
    typed: { provider: string; value: string },
    problems: FieldProblem[],
  ) {
    const form = await this.queries.get(principal, identifier);
    const rows = await this.aliases.list(principal, identifier);
    return formPage(form, AliasesPage, { ...{ rows, typed, problems }, dialect: form.dialect ?? '' });
  }
}

type Shown = Pick<MovePageProps, 'typed'> & Partial<Pick<MovePageProps, 'problems' | 'moved' | 'isMade'>>;

const NOTHING_TYPED = { content: '', provider: '', project: '' };

/** Serves the page that brings forms here from another provider. */
@WebController('move')
@RoutesRequire('forms:create')
export class MovePagesController {
  constructor(
    private readonly moves: MovesService,
    private readonly aliases: AliasesService,
    private readonly config: Config,
  ) {}

  /** Ask for a page, a file or ids, and show what still comes to old ids. */
  @Get()
  async ask(@Asked() { principal }: PageInput) {
    return this.page(principal, { typed: NOTHING_TYPED });
  }

  /** Show the forms of what was pasted, or make them. */
  @Post()
  @ReadsLong()
  async make(@Asked() { principal, typed: sent }: PageInput) {
    const typed = {
      content: textOf(sent, 'move.content'),
      provider: textOf(sent, 'move.provider'),
      project: textOf(sent, 'move.project').trim(),
    };
    const isMade = textOf(sent, 'make') === 'true';
    return attempt(
      async () => {
        const move = {
          ...{ kind: kindOf(typed.content), content: typed.content },
          ...{ provider: typed.provider || undefined, project: typed.project || undefined },
        };
        const text = MakeMoveDto.text(await checked(MakeMoveDto, { move }));
        const moved = await this.moves.make(principal, text, !isMade);
        return this.page(principal, { typed, moved, isMade });
      },
      (problems) => this.page(principal, { typed, problems }),
    );
  }

  private async page(principal: Principal, shown: Shown) {
    const rows = await this.aliases.listAll(principal);
    const none = { problems: [], moved: null, isMade: false };
    return page(MovePage, { baseUrl: this.config.baseUrl, rows, ...none, ...shown });
  }
}

/** Returns what a pasted text is: pages have tags, and the file of Formspree is an object. */
function kindOf(content: string) {
  if (content.trim().startsWith('{')) return 'formspree';
  return content.includes('<') ? 'page' : 'ids';
}
