import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/kernel/time/clock.js';
import { DAY_MS } from '../platform/kernel/time/durations.js';
import { SigningService } from '../platform/signed-links/signing.service.js';
import { ReportLinkOver } from './report.errors.js';

/** Purpose of the signed link in a mailed report. */
const LINK = 'report';
const LINK_TTL_MS = 400 * DAY_MS;

/** Makes and reads the links that end mailed reports without signing in. */
@Injectable()
export class ReportLinks {
  constructor(
    private readonly signing: SigningService,
    private readonly clock: Clock,
  ) {}

  /** Makes the path that ends the reports to a recipient. */
  async pathFor(recipientId: Buffer): Promise<string> {
    const expiresAt = new Date(this.clock.now().getTime() + LINK_TTL_MS);
    return `/recipients/reports/${await this.signing.sign(LINK, recipientId, expiresAt)}`;
  }

  /** Returns the id of the recipient. @throws ReportLinkOver when the link was altered, or is too old */
  async open(link: string): Promise<Buffer> {
    const id = await this.signing.verify(LINK, link, this.clock.now());
    if (id === null) throw new ReportLinkOver();
    return id;
  }
}
