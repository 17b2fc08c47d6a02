import { Post } from '@nestjs/common';
import { DISPLAY_NAMES, keepDisplay, putAway } from '../layout/display.js';
import { textOf } from '../parts/typed.js';
import { HOME } from '../sign-in/sign-in.controller.js';
import { goTo, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Takes how a browser draws the pages, which it keeps itself. */
@WebController('account/display', 'people')
export class DisplayController {
  /** Keep what was chosen, and go back to the page that it was chosen on. */
  @Post()
  choose(@Asked() { typed, response }: PageInput): PageAnswer {
    for (const name of DISPLAY_NAMES) keepDisplay(response, name, textOf(typed, name));
    putAway(response, textOf(typed, 'quiet'));
    const to = textOf(typed, 'to');
    return goTo(/^\/(?![/\\])/.test(to) ? to : HOME);
  }
}
