import { isIP } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { createHash, randomBytes } from 'node:crypto';
import { Config, Clock, MINUTE_MS, SigningService } from '../../platform/index.js';
import { descriptorOf, isAnswerOf, transportsOf } from './credential.js';
import type { Passkey, NewPasskey } from './credential.entity.js';
import { PasskeyRefused, PasskeysOff } from '../person/person.errors.js';

/** Whom passkeys are made for: the service at one address. */
interface RelyingParty {
  /** The host name, which a passkey is bound to. */
  id: string;
  /** Scheme, host name and port, which browsers report. */
  origin: string;
}

/**
 * Returns whom passkeys are made for, or null where browsers keep none: over plain http but for
 * localhost, and where the address has no name (WebAuthn level 3, section 5.1.2).
 * @param baseUrl of this service
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isNamed = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return isNamed && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : null;
}

/** Longest time to answer in milliseconds, as WebAuthn level 3, section 15.1, gives people who enter a PIN. */
const ANSWER_WITHIN_MS = 5 * MINUTE_MS;

/** Random bytes of a challenge (WebAuthn level 3, section 13.4.3, asks for 16). */
const RANDOM_BYTES = 16;

const HANDLE_BYTES = 16;

/** Name of the service that authenticators show. */
const NAME = 'Form Collection Service';

/** Loads the library once a passkey is made or used: it takes 10 MiB and slows the start. */
const webAuthn = () => import('@simplewebauthn/server');

/** Purpose of a challenge; it is not accepted for another. */
export type ChallengeUse = 'first' | 'further' | 'sign-in' | 'proof';

/** A challenge that was answered; it must be used up in the transaction of what the answer allows. */
export interface AnsweredChallenge {
  digest: Buffer;
  expiresAt: Date;
}

/** The person of a new passkey, as authenticators show them. */
interface Holder {
  email: string;
  name: string;
}

/** Stands for the session of people who have none yet. */
export const NO_SESSION = Buffer.alloc(0);

/**
 * Asks authenticators to make passkeys and to sign with them, and checks what they answer. A challenge
 * is signed, with its end and its session, so nothing is stored before it is answered.
 */
@Injectable()
export class CeremoniesService {
  private readonly logger = new Logger(CeremoniesService.name);
  private readonly relyingParty: RelyingParty | null;

  constructor(
    { baseUrl }: Config,
    private readonly signing: SigningService,
    private readonly clock: Clock,
  ) {
    this.relyingParty = relyingPartyOf(baseUrl);
  }

  /** Tells whether browsers keep passkeys for the address of this service. */
  get arePossible() {
    return this.relyingParty !== null;
  }

  /**
   * Returns what `navigator.credentials.create` needs.
   * @param known passkeys that the person has already
   * @param sessionId of who asks; `NO_SESSION` for somebody new
   * @throws PasskeysOff
   */
  async optionsToMake(
    use: ChallengeUse,
    { email, name }: Holder,
    known: Passkey[],
    sessionId: Buffer,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { id } = this.party();
    const handle = known[0]?.userHandle ?? randomBytes(HANDLE_BYTES);
    return (await webAuthn()).generateRegistrationOptions({
      rpName: NAME,
      rpID: id,
      userName: email,
      userDisplayName: name,
      userID: bytesOf(handle),
      challenge: await this.challenge(use, Buffer.concat([handle, sessionId])),
      timeout: ANSWER_WITHIN_MS,
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /**
   * Checks the answer to `optionsToMake`.
   * @param credential as `PublicKeyCredential.toJSON` writes it
   * @throws PasskeysOff, PasskeyRefused
   */
  async checkMade(
    use: ChallengeUse,
    credential: unknown,
    sessionId: Buffer,
  ): Promise<{ made: NewPasskey; challenge: AnsweredChallenge }> {
    const { id, origin } = this.party();
    let userHandle: Buffer = NO_SESSION;
    const { challenge, result } = await this.check(use, async (fits) =>
      (await webAuthn()).verifyRegistrationResponse({
        response: credential as RegistrationResponseJSON,
        expectedChallenge: fits((context) => {
          userHandle = context.subarray(0, HANDLE_BYTES);
          return context.subarray(HANDLE_BYTES).equals(sessionId);
        }),
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true,
      }),
    );
    if (!result.verified) throw new PasskeyRefused();
    const { id: credentialId, publicKey, counter, transports } = result.registrationInfo.credential;
    const made = {
      credentialId: Buffer.from(credentialId, 'base64url'),
      publicKey: Buffer.from(publicKey),
      userHandle,
      uses: counter,
      transports: transportsOf(transports),
    };
    return { made, challenge };
  }

  /**
   * Returns what `navigator.credentials.get` needs.
   * @param known passkeys that may answer; none lets the person choose among all that the device has
   * @throws PasskeysOff
   */
  async optionsToSign(
    use: ChallengeUse,
    known: Passkey[],
    sessionId: Buffer,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { id } = this.party();
    return (await webAuthn()).generateAuthenticationOptions({
      rpID: id,
      challenge: await this.challenge(use, sessionId),
      timeout: ANSWER_WITHIN_MS,
      allowCredentials: known.map(descriptorOf),
      userVerification: 'required',
    });
  }

  /**
   * Checks the answer to `optionsToSign`. An authenticator that counts its uses has to have counted on:
   * else there is a copy of the key, and neither is let in.
   * @returns how many uses the authenticator counts now
   * @throws PasskeysOff, PasskeyRefused
   */
  async checkSigned(
    use: ChallengeUse,
    credential: unknown,
    passkey: Passkey,
    sessionId: Buffer,
  ): Promise<{ uses: number; challenge: AnsweredChallenge }> {
    const { id, origin } = this.party();
    const { challenge, result } = await this.check(use, async (fits) =>
      (await webAuthn()).verifyAuthenticationResponse({
        response: credential as AuthenticationResponseJSON,
        expectedChallenge: fits((context) => context.equals(sessionId)),
        expectedOrigin: origin,
        expectedRPID: id,
        credential: {
          id: passkey.credentialId.toString('base64url'),
          publicKey: bytesOf(passkey.publicKey),
          counter: passkey.uses,
        },
        requireUserVerification: true,
      }),
    );
    if (!result.verified || !isAnswerOf(credential, passkey)) throw new PasskeyRefused();
    return { uses: result.authenticationInfo.newCounter, challenge };
  }

  /** @throws PasskeysOff */
  private party() {
    if (!this.relyingParty) throw new PasskeysOff();
    return this.relyingParty;
  }

  private async challenge(use: ChallengeUse, context: Buffer) {
    const payload = Buffer.concat([randomBytes(RANDOM_BYTES), context]);
    const expiresAt = new Date(this.clock.now().getTime() + ANSWER_WITHIN_MS);
    return bytesOf(Buffer.from(await this.signing.sign(purposeOf(use), payload, expiresAt), 'base64url'));
  }

  /**
   * Runs a check of the library, which throws a plain error at whatever it does not like.
   * @throws PasskeyRefused
   */
  private async check<T>(
    use: ChallengeUse,
    verify: (fits: (accepts: (context: Buffer) => boolean) => (challenge: string) => Promise<boolean>) => Promise<T>,
  ): Promise<{ result: T; challenge: AnsweredChallenge }> {
    const now = this.clock.now();
    let answered = '';
    try {
      const result = await verify((accepts) => async (challenge) => {
        answered = challenge;
        const payload = await this.signing.verify(purposeOf(use), challenge, now);
        return payload !== null && accepts(payload.subarray(RANDOM_BYTES));
      });
      const expiresAt = new Date(now.getTime() + ANSWER_WITHIN_MS);
      const digest = createHash('sha256').update(Buffer.from(answered, 'base64url')).digest();
      return { result, challenge: { digest, expiresAt } };
    } catch (error) {
      this.logger.warn('A passkey was refused', { use, reason: reasonOf(error) });
      throw new PasskeyRefused();
    }
  }
}

function purposeOf(use: ChallengeUse) {
  return `passkey ${use}`;
}

/** Copies bytes into a buffer of their own, which the library asks for. */
function bytesOf(buffer: Buffer) {
  return Uint8Array.from(buffer);
}

function reasonOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}
