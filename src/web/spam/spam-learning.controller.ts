import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { MARKS_MIN, SpamLearning } from '../../spam/learning/spam-learning.service.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { SpamLearningPage } from './spam-learning.page.js';

/** Pages about what the spam filter has learnt from marks. */
@WebController('spam-learning')
export class SpamLearningPagesController {
  constructor(
    private readonly learning: SpamLearning,
    private readonly frames: Frames,
  ) {}

  /** Show from how many marks. */
  @Get()
  @Requires('people:write')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const learnt = await this.learning.show(principal);
    const frame = await this.frames.of(request, response);
    sendPage(response, SpamLearningPage({ frame, learnt, needed: MARKS_MIN }));
  }

  /** Forget it all. */
  @Post('reset')
  @Requires('people:write')
  async reset(@CurrentPrincipal() principal: Principal, @Res() response: Response): Promise<void> {
    await this.learning.reset(principal);
    redirect(response, '/spam-learning', 'spam_learning_reset');
  }
}
