import type { Challenge } from 'altcha-lib/types';

/** A challenge in the format of ALTCHA. */
export class ChallengeDto {
  /**
   * How a key is derived (`algorithm`, `cost`, `keyLength`, `nonce`, `salt`), how the one that is sought begins
   * (`keyPrefix`), for which form it is (`data`) and until when, in seconds since 1970 (`expiresAt`).
   */
  parameters: Record<string, unknown>;
  signature: string;

  static of({ parameters, signature = '' }: Challenge): ChallengeDto {
    return { parameters: { ...parameters }, signature };
  }
}

/** A token for the field `_token`. */
export class FormTokenDto {
  /** Good for a day, and for this form alone. */
  token: string;
}
