import type { ChosenLimits } from './chosen-limits.ts';

/** Limits of the traffic of one cell's browser, whoever in it causes it. */
export interface NetworkLimits {
  /** Connections that it may have open to its egress proxy, and that this may have open to sites. */
  readonly connections: number;
  /** Host names in a minute, each counted once in it: past them, further ones wait, then are refused. */
  readonly names: number;
}

export const NETWORK_LIMITS: NetworkLimits = { connections: 1024, names: 600 };

/** Returns the limits with those that were chosen in place of the defaults. */
export function networkLimits({ cellConnections, cellNames }: ChosenLimits): NetworkLimits {
  return {
    connections: cellConnections ?? NETWORK_LIMITS.connections,
    names: cellNames ?? NETWORK_LIMITS.names,
  };
}
