/** The author of an action, as the audit log names them. */
export interface Actor {
  readonly kind: 'person' | 'token' | 'operator';
  /** Id of the person or the token; null for the operator at the command line. */
  readonly id: number | null;
  /** Name of the person or the token at that moment. */
  readonly name: string;
  /** Network address of the request; null at the command line. */
  readonly address: string | null;
  /** Time zone of a person, an IANA name. */
  readonly timeZone?: string;
}

/** The operator, who has a shell where the service runs. */
export const COMMAND_LINE: Actor = {
  kind: 'operator',
  id: null,
  name: 'Command line',
  address: null,
};
