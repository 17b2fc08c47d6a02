import { Injectable, Logger } from '@nestjs/common';
import { Mailer } from '../../mail/mailer.js';
import { notice, type Content } from '../../mail/parts/layout.js';
import { Config } from '../../platform/config/config.js';
import { PeopleService } from './people.service.js';

/** Mails operators about the service. */
@Injectable()
export class OperatorPost {
  private readonly logger = new Logger(OperatorPost.name);

  constructor(
    private readonly people: PeopleService,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /**
   * Mails all operators.
   * @param key names what it is about, for ids of messages
   * @returns whether one of them was told, or nobody has to be
   */
  async send(key: string, content: Content): Promise<boolean> {
    const operators = (await this.people.list()).filter(
      (person) => person.isOperator && person.disabledAt === null,
    );
    let isTold = operators.length === 0;
    for (const { id, email } of operators) {
      await this.mailer.send(`${key}-${id}`, notice(this.config.mailFrom, email, content)).then(
        () => (isTold = true),
        (error: unknown) => {
          this.logger.warn('An operator was not told', { about: key, person: id, error });
        },
      );
    }
    return isTold;
  }
}
