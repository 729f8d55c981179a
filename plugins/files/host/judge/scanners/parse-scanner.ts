import { AppError, quotable } from '../../../../../host/plugin.ts';
import { clamdScanner } from './clamd.ts';
import { icapScanner } from './icap.ts';
import type { Scanner } from './scanner.ts';

const HOST = '(\\[[0-9a-f:.]+\\]|[a-z0-9](?:[a-z0-9.-]{0,252}))';
const CLAMD_SOCKET = /^clamd:(\/[^\0]{1,106})$/;
const CLAMD_PORT = new RegExp(`^clamd:${HOST}:(\\d{1,5})$`, 'i');
const ICAP = new RegExp(`^icap://${HOST}(?::(\\d{1,5}))?/([\\w.~/?&=;,%+-]{1,200})$`, 'i');
const ICAP_PORT = '1344';

const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

/**
 * A scanner by its address: `clamd:SOCKET`, `clamd:HOST:PORT` or `icap://HOST:PORT/SERVICE`. Connects to nothing.
 *
 * @throws AppError `invalid-scanner`
 */
export function parseScanner(text: string): Scanner {
  const wrong = (): AppError =>
    new AppError(
      'invalid-scanner',
      `"${quotable(text, 200)}" is not clamd:SOCKET, clamd:HOST:PORT or icap://HOST:PORT/SERVICE`,
    );
  const port = (digits: string): number => {
    const number = Number(digits);
    if (number < 1 || number > 65_535) throw wrong();
    return number;
  };
  const [, path] = CLAMD_SOCKET.exec(text) ?? [];
  if (path !== undefined) return clamdScanner({ path }, text);
  const [, host, clamdPort] = CLAMD_PORT.exec(text) ?? [];
  if (host !== undefined && clamdPort !== undefined)
    return clamdScanner({ host: bare(host), port: port(clamdPort) }, text);
  const [, icapHost, icapPort = ICAP_PORT, service] = ICAP.exec(text) ?? [];
  if (icapHost === undefined || service === undefined) throw wrong();
  return icapScanner({ host: bare(icapHost), port: port(icapPort), service }, text);
}
