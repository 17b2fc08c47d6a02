import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../access/principal.js';
import { TokensService } from '../tokens/tokens.service.js';
import { Principals } from './principals.js';

/** Turns the bearer token of a request into the principal it stands for. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) {
  constructor(
    private readonly tokens: TokensService,
    private readonly principals: Principals,
  ) {
    super();
  }

  /**
   * Shows passport-http-bearer the header alone: it would also take `access_token` from the query and the
   * body, where a token leaks into logs and a form field of that name would count as one.
   */
  override authenticate(request: { headers: { authorization?: string } }, options?: object): void {
    const { authorization } = request.headers;
    super.authenticate({ headers: { authorization } } as never, options);
  }

  /** Returns the principal of a token to passport; null refuses the token. */
  async validate(secret: string): Promise<Principal | null> {
    const token = await this.tokens.recognise(secret);
    return token && this.principals.ofToken(token);
  }
}
