import type { ChildProcess } from 'node:child_process';

export interface PrivateServer {
  url: string;
  pid: number;
  crash(): Promise<void>;
  restart(more?: string[]): Promise<void>;
  stop(): Promise<void>;
}
export function findServer(): string | null;
export function startServer(program: string, options?: string[], parent?: string): Promise<PrivateServer>;
export const WITHOUT_LOG: string;
export function initialiseData(program: string, data: string, user: string): void;
export function freePort(): Promise<number>;
export function untilAnswering(url: string, server: ChildProcess): Promise<void>;
