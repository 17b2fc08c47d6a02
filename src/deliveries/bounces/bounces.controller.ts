import {
  Body,
  Controller,
  HttpCode,
  Post,
  UseGuards,
  Injectable,
  type CanActivate,
  type ExecutionContext,
  Get,
} from '@nestjs/common';
import { Public, RoutesRequire, InForm } from '../../accounts/access/index.js';
import { ReadsUpload, RouteNotFound } from '../../platform/http/index.js';
import { BouncesService, FailingRecipients } from './bounces.service.js';
import {
  readPostmark,
  readSendGrid,
  readSes,
  confirmationIn,
  confirmSubscription,
  notificationIn,
} from './reading/providers.js';
import { json, type Request, type Response } from 'express';
import { timingSafeEqual } from 'node:crypto';
import { AuthenticationRequired, InvalidToken, hashSecret, Config, RateLimits } from '../../platform/index.js';
import { FailingRecipientListDto, TryRecipientDto } from './failing-recipients.dto.js';

/** Largest report in bytes: a thousand events, or one with all headers of a mail. */
const BODY_MAX_BYTES = 1024 ** 2;
/** Amazon sends JSON as plain text. */
const readBody = json({ limit: BODY_MAX_BYTES, type: () => true });

/** Asks for a password, as programs need that send it only when they are asked. */
class PasswordRequired extends AuthenticationRequired {
  override readonly challenge = 'Basic realm="Bounces"';
}

/** Lets in who knows BOUNCE_TOKEN, as a bearer token or a password, and only then reads what is sent. */
@Injectable()
class BounceGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /**
   * @throws RouteNotFound without BOUNCE_TOKEN
   * @throws AuthenticationRequired, InvalidToken, RateLimited, MalformedBody, BodyTooLarge
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const { token } = this.config.bounces;
    if (token === undefined) throw new RouteNotFound();
    const { authorization } = request.headers;
    if (!timingSafeEqual(hashSecret(secretIn(authorization)), hashSecret(token))) {
      this.limits.countFailedAuth(request, response);
      throw authorization === undefined ? new PasswordRequired() : new InvalidToken();
    }
    await new Promise<void>((resolve, reject) => {
      readBody(request, response, (error?: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });
    return true;
  }
}

/** Returns the bearer token, or the password whatever the user is called. */
function secretIn(authorization = '') {
  const [, scheme = '', value = ''] = /^(\w+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return '';
  const pair = Buffer.from(value, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** Takes reports of mail providers. What is no report of a mail of ours is ignored, so that it does not come again. */
@Controller('bounces')
@Public()
@ReadsUpload()
@UseGuards(BounceGuard)
export class BouncesController {
  constructor(private readonly bounces: BouncesService) {}

  /** Take a webhook of Postmark. Needs `BOUNCE_TOKEN` as a bearer token or password; 404 when that is not set. */
  @Post('postmark')
  @HttpCode(204)
  async postmark(@Body() body: unknown): Promise<void> {
    await this.bounces.take(readPostmark(body));
  }

  /** Take events of SendGrid. Needs `BOUNCE_TOKEN` as a bearer token or password; 404 when that is not set. */
  @Post('sendgrid')
  @HttpCode(204)
  async sendGrid(@Body() body: unknown): Promise<void> {
    await this.bounces.take(readSendGrid(body));
  }

  /**
   * Take a notification of Amazon SES by SNS, and confirm its subscription. Needs `BOUNCE_TOKEN` as a password; 404
   * when that is not set.
   */
  @Post('ses')
  @HttpCode(204)
  async ses(@Body() body: unknown): Promise<void> {
    const url = confirmationIn(body);
    if (url !== null) await confirmSubscription(url);
    else await this.bounces.take(readSes(notificationIn(body)));
  }
}

@Controller('api/v1/forms/:identifier/recipients/failing')
@RoutesRequire('forms:read', 'forms:write')
export class FailingRecipientsController {
  constructor(private readonly failing: FailingRecipients) {}

  /**
   * List recipients of a form that get no more emails, because one came back, newest first: its owners, and up to 100
   * others. Visitors are only listed with `submissions:read`.
   */
  @Get()
  async list(@InForm() { principal, identifier }: InForm): Promise<FailingRecipientListDto> {
    return FailingRecipientListDto.of(await this.failing.list(principal, identifier));
  }

  /** Send emails to one of these recipients again, until one comes back. */
  @Post('try')
  @HttpCode(200)
  async tryAgain(
    @InForm() { principal, identifier }: InForm,
    @Body() { email }: TryRecipientDto,
  ): Promise<FailingRecipientListDto> {
    return FailingRecipientListDto.of(await this.failing.tryAgain(principal, identifier, email));
  }
}
