import type { Registry } from 'prom-client';

/** Begins to measure the process, its memory and its event loop. The library is loaded now: many are never asked. */
export async function measureNode(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
