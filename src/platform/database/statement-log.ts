import { Logger } from '@nestjs/common';
import type { Logger as TypeOrmLogger } from 'typeorm';

/** Longest part of a statement that is logged, in characters. */
const SQL_MAX_CHARS = 300;

/**
 * Logs slow statements, and nothing else. TypeORM's own logger would print the values, which visitors sent.
 */
export class StatementLog implements TypeOrmLogger {
  private readonly logger = new Logger(StatementLog.name);

  logQuerySlow(ms: number, sql: string): void {
    this.logger.warn('A statement was slow', { ms, sql: sql.slice(0, SQL_MAX_CHARS) });
  }

  logQuery(): void {
    // Logging every statement would be too much.
  }

  logQueryError(): void {
    // The caller reports the error.
  }

  logSchemaBuild(): void {
    // Never happens: migrations make the tables.
  }

  logMigration(): void {
    // `migrate` logs what it ran.
  }

  log(): void {
    // Nothing else is logged.
  }
}
