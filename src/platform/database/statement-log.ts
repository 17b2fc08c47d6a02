import { Logger } from '@nestjs/common';
import type { Logger as TypeOrmLogger } from 'typeorm';

/** As much of a statement as tells which it is. */
const SQL_MAX = 300;

/**
 * What TypeORM says of statements: that one was slow, and nothing else. Its own logger would print
 * the values with them, which are what visitors sent.
 */
export class StatementLog implements TypeOrmLogger {
  private readonly logger = new Logger(StatementLog.name);

  logQuerySlow(ms: number, sql: string): void {
    this.logger.warn('A statement was slow', { ms, sql: sql.slice(0, SQL_MAX) });
  }

  logQuery(): void {
    // Every statement would be too much.
  }

  logQueryError(): void {
    // Whoever sent it tells what failed.
  }

  logSchemaBuild(): void {
    // There is none: migrations make the tables.
  }

  logMigration(): void {
    // `migrate` tells what it ran.
  }

  log(): void {
    // Nothing else is worth a line.
  }
}
