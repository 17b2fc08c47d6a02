import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/address.js';
import { FactorsService } from '../../people/factors.service.js';
import { PlacesService } from '../../people/places.service.js';
import { SignInService, type SignedIn } from '../../people/sign-in.service.js';
import { InvalidInputError, type FieldProblem } from '../../platform/kernel/errors.js';
import { parseUuid } from '../../platform/kernel/uuid.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { textOf, type Typed } from '../layout/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { HOME } from '../sign-in/sign-in.controller.js';
import { AccountPage } from './account.page.js';

const PATH = '/account';
const NO_MEMBERSHIP = 0;

/** What is a person's own: where they act, their sessions, their password. */
@Controller('account')
@WebPage('people')
@UseFilters(WebFilter)
export class AccountController {
  constructor(
    private readonly places: PlacesService,
    private readonly signIns: SignInService,
    private readonly factors: FactorsService,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Show it all. */
  @Get()
  show(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(signedIn, request, response);
  }

  /** Go on in another account, or for another client. */
  @Post('switch')
  async switchTo(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const text = textOf(typed, 'membership');
    const id = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : NO_MEMBERSHIP;
    await this.signIns.switchTo(signedIn, id);
    redirect(response, HOME, 'switched');
  }

  /** Sign out another browser. */
  @Post('sessions/end')
  async endSession(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = parseUuid(textOf(typed, 'session'));
    const address = addressOf(request, this.config);
    await this.places.endSession(signedIn, id ?? Buffer.alloc(0), address);
    redirect(response, PATH, 'session_ended');
  }

  /** Sign out all other browsers. */
  @Post('sessions/end-others')
  async endOthers(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.places.endOtherSessions(signedIn, addressOf(request, this.config));
    redirect(response, PATH, 'sessions_ended');
  }

  /** Change the password. */
  @Post('password')
  async changePassword(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const address = addressOf(request, this.config);
    const [current, next] = [textOf(typed, 'current'), textOf(typed, 'password')];
    try {
      await this.places.changePassword(signedIn, current, next, address);
      redirect(response, PATH, 'password_changed');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      await this.send(signedIn, request, response, error.fields);
    }
  }

  private async send(
    signedIn: SignedIn,
    request: Request,
    response: Response,
    problems?: FieldProblem[],
  ): Promise<void> {
    const frame = await this.frames.of(request, response, signedIn);
    const places = await this.places.listOf(signedIn.person.id);
    const sessions = await this.places.sessionsOf(signedIn);
    const codesLeft = await this.factors.codesLeft(signedIn.person);
    const page = { frame, signedIn, places, sessions, codesLeft, ...(problems && { problems }) };
    sendPage(response, AccountPage(page), problems ? 422 : 200);
  }
}
