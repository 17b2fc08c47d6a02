/**
 * Returns headers that have a provider name the delivery in its reports of bounces: some put a message id of their own
 * in place of ours. Postmark and SendGrid take them out again.
 * @param host of the mail server
 */
export function reportHeaders(host: string, deliveryId: string): Record<string, string> {
  if (/(?:^|\.)postmarkapp\.com$/i.test(host)) return { 'X-PM-Metadata-delivery': deliveryId };
  if (/(?:^|\.)sendgrid\.net$/i.test(host)) {
    return { 'X-SMTPAPI': JSON.stringify({ unique_args: { delivery: deliveryId } }) };
  }
  return {};
}
