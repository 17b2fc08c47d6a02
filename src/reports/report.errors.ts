import { ConflictError, NotFoundError } from '../platform/kernel/errors.js';

/** The link of a report was altered, or is more than a year old. */
export class ReportLinkOver extends NotFoundError {
  constructor() {
    super(
      'report_link_over',
      'This link has expired or is incomplete. Whoever sends you these reports can stop them too.',
    );
  }
}

/** A report is to be sent, and nobody has confirmed that they want it. */
export class NobodyGetsReport extends ConflictError {
  constructor() {
    super(
      'nobody_gets_report',
      'Add a recipient first. New ones may have to confirm their address.',
    );
  }
}
