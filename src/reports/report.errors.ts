import { ConflictError, NotFoundError, fact } from '../platform/kernel/errors.js';

/** The link of a report was altered, or is more than a year old. */
export class ReportLinkOver extends fact(
  NotFoundError,
  'report_link_over',
  'This link has expired or is incomplete. Whoever sends you these reports can stop them too.',
) {}

/** A report is to be sent, and nobody has confirmed that they want it. */
export class NobodyGetsReport extends fact(
  ConflictError,
  'nobody_gets_report',
  'Add a recipient first. New ones may have to confirm their address.',
) {}
