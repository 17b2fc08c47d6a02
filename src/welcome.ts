import type { INestApplication } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import { AccountsService } from './accounts/accounts.service.js';
import type { Config } from './config/config.js';

/**
 * Says where the service listens. On the first start it also opens the first account and prints its
 * token: to the terminal and not through the log, and this once only.
 */
export async function welcome(app: INestApplication, config: Config): Promise<void> {
  new Logger('Service').log('Listening', { baseUrl: config.baseUrl });
  const opened = await app.get(AccountsService).bootstrap();
  if (!opened) return;
  process.stdout.write(`
  Your account "${opened.account.name}" is open. This is its access token; it is shown only now:

    ${opened.secret}

  Try it:

    curl -H "Authorization: Bearer ${opened.secret}" ${config.baseUrl}/api/v1/forms

`);
}
