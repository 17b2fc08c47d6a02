// Asks the service of this container whether it is ready; exits with 0 if so.
import http from 'node:http';
import https from 'node:https';

const { PORT, TLS_CERT, ACME_DOMAIN } = process.env;
const { get } = TLS_CERT || ACME_DOMAIN ? https : http;
const options = {
  host: '127.0.0.1',
  port: PORT || 3000,
  path: '/health/ready',
  // The certificate is of the public name.
  rejectUnauthorized: false,
  timeout: 5_000,
};
get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
