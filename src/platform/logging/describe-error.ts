import { QueryFailedError } from 'typeorm';

/**
 * Returns the parts of an error that may be logged. Messages and parameters of database errors repeat
 * visitors' values, so only the driver's code and the stack's places are kept of them.
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
