import { hostText } from './address.ts';

/** Destination of a request. */
export interface Destination {
  /** Lower-case name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Known for plain http only: tunnels are opaque. */
  readonly url?: string;
}

/** Returns the destination of an address; undefined for one without a host. */
export function destinationOf(url: string): Destination | undefined {
  const { hostname = '', port = '', protocol } = URL.parse(url) ?? {};
  const host = hostText(hostname);
  const usual = protocol === 'https:' || protocol === 'wss:' ? 443 : 80;
  return host === undefined ? undefined : { host, port: port === '' ? usual : Number(port) };
}
