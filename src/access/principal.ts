import { FormCreationForbidden } from './access.errors.js';
import type { Right } from './rights.js';

/** Whose data a query may touch: an account's, or only what one of its clients sees of it. */
export interface Scope {
  readonly accountId: number;
  /** Null: the whole account. */
  readonly clientId: number | null;
}

/** Who sends a request, as its token says. */
export class Principal implements Scope {
  constructor(
    readonly accountId: number,
    readonly clientId: number | null,
    readonly tokenId: number,
    readonly rights: readonly Right[],
    private readonly canCreateForms: boolean,
  ) {}

  has(right: Right): boolean {
    return this.rights.includes(right);
  }

  /** @throws FormCreationForbidden for a client without the permission */
  assertCanCreateForms(): void {
    if (!this.canCreateForms) throw new FormCreationForbidden();
  }
}
