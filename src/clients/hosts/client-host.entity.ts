import { randomBytes } from 'node:crypto';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';

/** Bytes of chance in a proof. */
const PROOF_BYTES = 16;

/** Stores the host of a client's own. Several may ask for one; who proves to have it has it. */
@Entity('client_hosts')
@Index('uq_client_hosts_proven', ['provenHost'], { unique: true })
export class ClientHost {
  @PrimaryColumn('int') clientId: number;
  @Column('int') accountId: number;
  /** The host that was asked for last. */
  @Column('varchar', { length: 253 }) host: string;
  /** The host that serves the client: the one asked for once that is proven, and another until then; null for none. */
  @Column('varchar', { length: 253, nullable: true }) provenHost: string | null;
  /** Text that only its holder can publish under the host. */
  @Column('varchar', { length: 32 }) proof: string;
  @Time({ nullable: true }) provenAt: Date | null;

  /** @param before what the client has; its proven host serves until the other one is proven */
  static claim(accountId: number, clientId: number, host: string, before: ClientHost | null): ClientHost {
    const proof = randomBytes(PROOF_BYTES).toString('hex');
    const { provenHost = null, provenAt = null } = before ?? {};
    const serves = { provenHost, provenAt };
    return Object.assign(new ClientHost(), { accountId, clientId, host, proof, ...serves });
  }

  /** Tells whether the host that was asked for serves the client. */
  get isProven() {
    return this.provenHost === this.host;
  }

  /** Returns the DNS record that proves it. */
  get record(): { name: string; type: 'TXT'; value: string } {
    return { name: `_form-collection.${this.host}`, type: 'TXT', value: this.proof };
  }

  /** Returns the addresses under one of which a file with the proof may stand instead. */
  get fileUrls(): string[] {
    return ['https', 'http'].map((scheme) => `${scheme}://${this.host}${PROOF_PATH}`);
  }
}

const PROOF_PATH = '/.well-known/form-collection.txt';
