import { QueryFailedError } from 'typeorm';

/**
 * What a log may say of an error. Messages and parameters of database errors repeat the values that
 * were sent, so of those only the driver's code and the place are kept.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code } = error as Error & { code?: unknown };
  const place = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const fromDatabase = error instanceof QueryFailedError || 'sqlMessage' in error;
  return {
    name,
    ...(typeof code === 'string' && { code }),
    ...(!fromDatabase && { message: error.message }),
    at: place.slice(0, 12).map((line) => line.trim()),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
