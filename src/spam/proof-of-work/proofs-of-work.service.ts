import { Injectable } from '@nestjs/common';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge, Solution } from 'altcha-lib/types';
import { randomInt } from 'node:crypto';
import type { Form } from '../../forms/model/form.entity.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { MINUTE_MS, SECOND_MS, SigningService } from '../../platform/index.js';
import { SpamHistory } from '../history/spam-history.js';
import { SpamSettings } from '../judge/spam-settings.js';
import { NoProofOfWork, noProof, type Proof } from '../evidence/spam-evidence.js';
import { SpentSolutionsRepository } from './spent-solutions.repository.js';
import { Projected } from '../../forms/projections.js';

/** Life of a challenge in milliseconds. */
const TTL_MS = 20 * MINUTE_MS;
const ALGORITHM = 'PBKDF2/SHA-256';
/** Rounds of a try; a desktop takes 1 ms for them, and so does who makes a challenge. */
const ROUNDS = 5_000;
/** Tries of a solver: the fewest and the most, so nobody is unlucky for long. */
const TRIES_MIN = 50;
const TRIES_MAX = 150;
/** Challenges of a network within ten minutes after which they get harder, and how much at most. */
const ASKED_STEP = 10;
const HARDER_MAX = 8;
/** Purposes of the two secrets, which sign what is asked and what solves it. */
const CHALLENGE = 'proof of work';
const KEY = 'proof of work, key';
const NO_PAYLOAD = Buffer.alloc(0);

/**
 * Gives pages small tasks for the computers of visitors, in the format of ALTCHA, and checks the solutions. What is
 * asked is signed and not stored; a solution is remembered until its challenge ends.
 */
@Injectable()
@Projected({ tables: ['spent_solutions'], areStaying: true })
export class ProofsOfWork {
  /** Nonces of solutions that are being stored by this process. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly signing: SigningService,
    private readonly history: SpamHistory,
    private readonly spent: SpentSolutionsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes a challenge for the visitors of a form; it is harder the more a network asked for.
   * @throws NoProofOfWork
   */
  async challenge(form: Readonly<Form>, network: string): Promise<Challenge> {
    if (!SpamSettings.of(form).asksForProof) throw new NoProofOfWork();
    const now = this.unitOfWork.now();
    const asked = this.history.addAsked(form.accountId, network, now);
    const harder = Math.min(1 + Math.floor(asked / ASKED_STEP), HARDER_MAX);
    return createChallenge({
      algorithm: ALGORITHM,
      cost: ROUNDS,
      counter: randomInt(TRIES_MIN * harder, TRIES_MAX * harder),
      data: { form: form.identifier },
      expiresAt: new Date(now.getTime() + TTL_MS),
      deriveKey,
      ...(await this.secrets()),
    });
  }

  /**
   * Checks what a visitor sent to a form that asks for work, and claims the solution until `release`.
   * @param text null when nothing was sent
   * @param origin of the page
   * @returns null when the visitor's browser cannot do it
   */
  async take(text: string | null, form: Readonly<Form>, origin: string | null): Promise<Proof | null> {
    if (text === null) return isPlainHttp(origin, form) ? null : noProof('missing');
    const proof = await this.check(text, form.identifier);
    if (!proof.solution) return proof;
    const { nonce } = proof.solution;
    const key = nonce.toString('latin1');
    if (this.underWay.has(key)) return noProof('used');
    this.underWay.add(key);
    if (!(await this.isSpent(nonce, key))) return proof;
    this.underWay.delete(key);
    return noProof('used');
  }

  /** Lets go of a solution, whether it was stored or not. */
  release(proof: Proof | null) {
    if (proof?.solution) this.underWay.delete(proof.solution.nonce.toString('latin1'));
  }

  private async isSpent(nonce: Buffer, key: string) {
    try {
      return await this.spent.isSpent(nonce);
    } catch (error) {
      this.underWay.delete(key);
      throw error;
    }
  }

  private async check(text: string, identifier: string): Promise<Proof> {
    const sent = readSolution(text);
    if (!sent) return noProof('unclear');
    const secrets = await this.secrets();
    // What it throws at is no solution of ours.
    const found = await verifySolution({ ...sent, deriveKey, ...secrets }).catch(() => null);
    if (found?.expired) return noProof('expired');
    const { nonce, expiresAt = 0, data } = sent.challenge.parameters;
    if (found?.verified !== true || data?.form !== identifier) return noProof('unclear');
    const ends = new Date(expiresAt * SECOND_MS);
    if (ends < this.unitOfWork.now()) return noProof('expired');
    return { state: 'solved', solution: { nonce: Buffer.from(nonce, 'hex'), expiresAt: ends } };
  }

  private async secrets() {
    const [ours, key] = await Promise.all([CHALLENGE, KEY].map((purpose) => this.signing.derive(purpose, NO_PAYLOAD)));
    return { hmacSignatureSecret: ours?.toString('hex') ?? '', hmacKeySignatureSecret: key?.toString('hex') ?? '' };
  }
}

/**
 * Tells whether browsers have no WebCrypto on a page, as on plain http. Programs can name any origin, so the form has to
 * list it.
 */
function isPlainHttp(origin: string | null, { whitelistedDomains }: Readonly<Form>) {
  if (origin?.startsWith('http://') !== true) return false;
  if (whitelistedDomains?.split(',').includes(origin) !== true) return false;
  return !/^http:\/\/(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(origin);
}

/** Longer text is no solution, in characters: solvers of browsers write less than 800. */
const TEXT_MAX = 2_000;

/** A challenge with its solution, as a visitor sends it. */
interface SentSolution {
  challenge: Challenge;
  solution: Solution;
}

/** Reads the field `altcha`: JSON in base64. Returns null for anything else; nothing in it is checked. */
function readSolution(text: string) {
  if (text.length > TEXT_MAX) return null;
  try {
    const sent: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    const { challenge, solution } = sent as { challenge?: unknown; solution?: unknown };
    const { parameters, signature } = challenge as { parameters?: unknown; signature?: unknown };
    if (!isObject(parameters) || !isObject(solution) || typeof signature !== 'string') return null;
    return sent as SentSolution;
  } catch {
    return null;
  }
}

function isObject(value: unknown) {
  return typeof value === 'object' && value !== null;
}
