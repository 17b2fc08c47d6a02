import { Injectable } from '@nestjs/common';
import type { Scope } from '../../access/principal.js';

/** A person who looks after forms with others. */
export interface Colleague {
  id: number;
  name: string;
  email: string;
  /** Whether the address is known to be theirs; else it gets no mail. */
  isVerified: boolean;
}

/**
 * Tells who looks after forms. A scope of the account knows all people of it and of its clients; one of a client
 * knows the people of that client and no others.
 */
export interface Directory {
  /**
   * Returns who is known and sees the form, by name; without a form those who see every form of the scope.
   */
  whoSees(scope: Scope, formId: number | null): Promise<Colleague[]>;
  /** Finds somebody who is known by address, in any case of letters. */
  byEmail(scope: Scope, email: string): Promise<Colleague | null>;
  /** Returns those of these people who are known, by id. */
  byIds(scope: Scope, ids: readonly number[]): Promise<Map<number, Colleague>>;
  /** Returns which of these forms a person sees; null for nobody who is known, or who may not sign in. */
  seenBy(scope: Scope, personId: number, formIds: readonly number[]): Promise<number[] | null>;
}

/** The directory of the room of people, which stands above this one and registers it. */
@Injectable()
export class Colleagues {
  private registered: Directory | null = null;

  register(directory: Directory): void {
    this.registered = directory;
  }

  get directory(): Directory {
    if (!this.registered) throw new Error('No directory of people is registered.');
    return this.registered;
  }
}
