import { Injectable } from '@nestjs/common';
import { Principal, type Scope, type Actor, MakerRights } from '../../accounts/access/index.js';
import { ClientsService } from '../../clients/clients.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import type { Token } from '../../accounts/tokens/token.entity.js';
import { TokensService } from '../../accounts/tokens/tokens.service.js';

/** Says what people and tokens may do at this moment. */
@Injectable()
export class Principals {
  constructor(
    private readonly tokens: TokensService,
    private readonly clients: ClientsService,
    private readonly people: SignInService,
  ) {}

  /** Returns whom a token stands for; null when its client was deleted. */
  async ofToken(token: Token): Promise<Principal | null> {
    const { id, name, accountId, clientId, rights } = token;
    const actor = { kind: 'token', id, name, address: null } as const;
    if (clientId === null) return new Principal(accountId, null, actor, rights, true);
    const client = await this.clients.find(accountId, clientId);
    return client && new Principal(accountId, clientId, actor, rights, client.canCreateForms);
  }

  /**
   * Returns a person or a token with what they may do now, for work that goes on without a request.
   * @returns null when they may do nothing there any more
   */
  @MakerRights()
  async now({ actor, ...scope }: Scope & { actor: Pick<Actor, 'kind' | 'id'> }) {
    if (actor.id === null) return null;
    if (actor.kind === 'person') return this.people.principalIn(scope, actor.id);
    const token = await this.tokens.findValid(actor.id);
    return token && this.ofToken(token);
  }
}
