import { Body, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { AliasesService } from '../../aliases/aliases.service.js';
import { MakeMoveDto } from '../../moves/dto/move.dto.js';
import { MovesService, type Moved, type MoveKind } from '../../moves/moves.service.js';
import { ReadsLong } from '../../platform/http/bodies/body.guard.js';
import { Config } from '../../platform/config/config.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { checked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { MovePage, type MovePageProps } from './move.page.js';

type Shown = Pick<MovePageProps, 'typed' | 'problems' | 'moved' | 'isMade'>;

const NOTHING_TYPED = { content: '', provider: '', project: '' };

/** Serves the page that brings forms here from another provider. */
@WebController('move')
export class MovePagesController {
  constructor(
    private readonly moves: MovesService,
    private readonly aliases: AliasesService,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Ask for a page, a file or ids, and show what still comes to old ids. */
  @Get()
  @Requires('forms:create')
  async ask(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const shown = { typed: NOTHING_TYPED, problems: [], moved: null, isMade: false };
    await this.send(principal, request, response, shown);
  }

  /** Show the forms of what was pasted, or make them. */
  @Post()
  @Requires('forms:create')
  @ReadsLong()
  async make(
    @CurrentPrincipal() principal: Principal,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const typed = {
      content: textOf(sent, 'move.content'),
      provider: textOf(sent, 'move.provider'),
      project: textOf(sent, 'move.project').trim(),
    };
    const isMade = textOf(sent, 'make') === 'true';
    try {
      const move = {
        ...{ kind: kindOf(typed.content), content: typed.content },
        ...(typed.provider !== '' && { provider: typed.provider }),
        ...(typed.project !== '' && { project: typed.project }),
      };
      const text = MakeMoveDto.text(await checked(MakeMoveDto, { move }));
      const moved: Moved = await (isMade
        ? this.moves.make(principal, text)
        : this.moves.plan(principal, text));
      await this.send(principal, request, response, { typed, problems: [], moved, isMade });
    } catch (error) {
      const problems = problemsOf(error);
      await this.send(principal, request, response, {
        typed,
        problems,
        moved: null,
        isMade: false,
      });
    }
  }

  private async send(
    principal: Principal,
    request: Request,
    response: Response,
    shown: Shown,
  ): Promise<void> {
    const frame = await this.frames.of(request, response);
    const rows = await this.aliases.listAll(principal);
    const page = MovePage({ frame, baseUrl: this.config.baseUrl, rows, ...shown });
    sendPage(response, page, shown.problems.length > 0 ? UNPROCESSABLE : undefined);
  }
}

/** Returns what a pasted text is: pages have tags, and the file of Formspree is an object. */
function kindOf(content: string): MoveKind {
  if (content.trim().startsWith('{')) return 'formspree';
  return content.includes('<') ? 'page' : 'ids';
}
