import { Get, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { MARKS_MIN, SpamLearning } from '../../spam/learning/spam-learning.service.js';
import { SpamLearningPage } from './spam-learning.page.js';
import { goTo, page, type PageAnswer } from '../kit/answers.js';
import { WebController } from '../kit/web-controller.js';

/** Pages about what the spam filter has learnt from marks. */
@WebController('spam-learning')
export class SpamLearningPagesController {
  constructor(private readonly learning: SpamLearning) {}

  /** Show from how many marks. */
  @Get()
  @Requires('people:write')
  async show(@CurrentPrincipal() principal: Principal): Promise<PageAnswer> {
    const learnt = await this.learning.show(principal);
    return page(SpamLearningPage, { learnt, needed: MARKS_MIN });
  }

  /** Forget it all. */
  @Post('reset')
  @Requires('people:write')
  async reset(@CurrentPrincipal() principal: Principal): Promise<PageAnswer> {
    await this.learning.reset(principal);
    return goTo('/spam-learning', 'spam_learning_reset');
  }
}
