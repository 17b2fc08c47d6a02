import { Body, Controller, Post, Res, UseFilters } from '@nestjs/common';
import type { Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { DISPLAY_NAMES, keepDisplay, putAway } from '../layout/display.js';
import { redirect } from '../layout/flash.js';
import { WebFilter } from '../layout/web.filter.js';
import { textOf, type Typed } from '../parts/typed.js';
import { HOME } from '../sign-in/sign-in.controller.js';

/** Takes how a browser draws the pages, which it keeps itself. */
@Controller('account/display')
@WebPage('people')
@UseFilters(WebFilter)
export class DisplayController {
  /** Keep what was chosen, and go back to the page that it was chosen on. */
  @Post()
  choose(@Body() typed: Typed | undefined, @Res() response: Response): void {
    for (const name of DISPLAY_NAMES) keepDisplay(response, name, textOf(typed, name));
    putAway(response, textOf(typed, 'quiet'));
    const to = textOf(typed, 'to');
    redirect(response, /^\/(?![/\\])/.test(to) ? to : HOME);
  }
}
