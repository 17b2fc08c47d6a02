export interface PrivateServer {
  url: string;
  pid: number;
  crash(): Promise<void>;
  stop(): Promise<void>;
}
export function findServer(): string | null;
export function startServer(program: string, options?: string[]): Promise<PrivateServer>;
