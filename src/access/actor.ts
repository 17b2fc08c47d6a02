/** Who did something, as the audit log names them. */
export interface Actor {
  readonly kind: 'person' | 'token' | 'operator';
  /** Of the person or the token; null for the operator at the command line. */
  readonly id: number | null;
  /** What it was called at that moment. */
  readonly name: string;
  /** The network address that the request came from; null for what came from none. */
  readonly address: string | null;
}

/** Whoever has a shell where the service runs. */
export const COMMAND_LINE: Actor = {
  kind: 'operator',
  id: null,
  name: 'Command line',
  address: null,
};
