import { Get, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { AliasesService } from '../../aliases/aliases.service.js';
import { MakeMoveDto } from '../../moves/dto/move.dto.js';
import { MovesService, type Moved, type MoveKind } from '../../moves/moves.service.js';
import { ReadsLong } from '../../platform/http/bodies/body.guard.js';
import { Config } from '../../platform/config/config.js';
import { checked, textOf } from '../parts/typed.js';
import { MovePage, type MovePageProps } from './move.page.js';
import { attempt, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

type Shown = Pick<MovePageProps, 'typed' | 'problems' | 'moved' | 'isMade'>;

const NOTHING_TYPED = { content: '', provider: '', project: '' };

/** Serves the page that brings forms here from another provider. */
@WebController('move')
export class MovePagesController {
  constructor(
    private readonly moves: MovesService,
    private readonly aliases: AliasesService,
    private readonly config: Config,
  ) {}

  /** Ask for a page, a file or ids, and show what still comes to old ids. */
  @Get()
  @Requires('forms:create')
  async ask(@CurrentPrincipal() principal: Principal): Promise<PageAnswer> {
    const shown = { typed: NOTHING_TYPED, problems: [], moved: null, isMade: false };
    return this.page(principal, shown);
  }

  /** Show the forms of what was pasted, or make them. */
  @Post()
  @Requires('forms:create')
  @ReadsLong()
  async make(@Asked() { principal, typed: sent }: PageInput): Promise<PageAnswer> {
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
          ...(typed.provider !== '' && { provider: typed.provider }),
          ...(typed.project !== '' && { project: typed.project }),
        };
        const text = MakeMoveDto.text(await checked(MakeMoveDto, { move }));
        const moved: Moved = await (isMade
          ? this.moves.make(principal, text)
          : this.moves.plan(principal, text));
        return this.page(principal, { typed, problems: [], moved, isMade });
      },
      (problems) => this.page(principal, { typed, problems, moved: null, isMade: false }),
    );
  }

  private async page(principal: Principal, shown: Shown): Promise<PageAnswer> {
    const rows = await this.aliases.listAll(principal);
    return page(MovePage, { baseUrl: this.config.baseUrl, rows, ...shown });
  }
}

/** Returns what a pasted text is: pages have tags, and the file of Formspree is an object. */
function kindOf(content: string): MoveKind {
  if (content.trim().startsWith('{')) return 'formspree';
  return content.includes('<') ? 'page' : 'ids';
}
