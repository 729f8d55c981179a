/** The command line and the composition root of a host on one machine: the gateway in this process, a cell for each person beside it. */
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import { AppError, toAppError } from '../core/protocol/errors.ts';
import { openCells } from './compose/cells.ts';
import { openPolicy } from './compose/policy.ts';
import { loadProgram } from './compose/program.ts';
import { stopInOrder } from './compose/stop.ts';
import { openEventLog } from './gateway/event-log.ts';
import { integrityTokens } from './gateway/integrity-tokens.ts';
import { createMetrics } from './gateway/metrics.ts';
import { hostSecret, personCookies } from './gateway/person.ts';
import { createGateway } from './gateway/server.ts';
import { hostLog } from './host-log.ts';
import { parseOptions, usage } from './options.ts';
import type { Options } from './options.ts';
import { bypassTokens } from './policy/bypass.ts';
import { reloading } from './reload.ts';

const root = path.dirname(import.meta.dirname);

async function serve(options: Options): Promise<void> {
  const pinoLog = pino({ level: options.logLevel }, pino.destination({ dest: 2, sync: false }));
  const log = hostLog(pinoLog);
  const program = await loadProgram(root, options);
  const secret = await hostSecret(options.data);
  const { chromium } = options;
  if (chromium === undefined)
    throw new AppError('no-chromium', 'no Chromium is named: use --chromium PATH or VITRINE_CHROMIUM');

  const policy = await openPolicy(program, options.policy, log);
  const metrics = createMetrics();
  const { processes, services, worker } = await openCells({
    root,
    options,
    chromium,
    program,
    policy: policy.engine,
    metrics,
    log,
  });
  const events = openEventLog(options.data, (thrown) => pinoLog.error({ err: thrown }, 'client events are not kept'));
  metrics.gauge('vitrine_client_events_dropped', 'Client events that could not be kept', () => events.dropped);
  const tls = await readTls(options);
  const gateway = await createGateway({
    link: worker,
    assets: program.assets,
    pluginFiles: program.files,
    routes: program.plugins.flatMap(({ manifest }) => manifest.routes ?? []),
    persons: personCookies(secret),
    integrity: integrityTokens(secret),
    policy: policy.engine,
    bypass: bypassTokens(secret),
    metrics,
    events,
    log: pinoLog,
    origins: options.origins,
    frameAncestors: options.frameAncestors,
    inspectOrigin: options.inspectOrigin,
    clusterOrigin: options.clusterOrigin,
    loginOrigins: options.loginOrigins,
    ...(tls ? { tls } : {}),
  });
  stopInOrder({ policy, worker, gateway, services, processes, events, metrics, log: pinoLog });

  try {
    await gateway.listen({ port: options.port, host: options.host });
  } catch (thrown) {
    await worker.drain('not started');
    await processes.close();
    throw thrown;
  }
  const { port } = gateway.server.address() as AddressInfo; // it listens on TCP
  worker.addOwnPort(port);
  const name = /^(127\.|::1$|0\.0\.0\.0$|::$|localhost$)/.test(options.host) ? 'localhost' : options.host;
  console.log(`Vitrine is ready: ${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/`);
}

async function readTls({ tlsCert, tlsKey }: Options): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return { cert: await readFile(tlsCert), key: await readFile(tlsKey) };
}

try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) console.log(usage());
  else if (options.reload) {
    const args = process.argv.slice(2).filter((arg) => arg !== '--reload');
    process.env['VITRINE_RELOAD'] = ''; // for the host that it starts
    process.exitCode = await reloading({
      entry: import.meta.filename,
      args,
      port: options.port,
      folders: options.plugins,
    });
  } else await serve(options);
} catch (thrown) {
  const error = toAppError(thrown);
  console.error(`Vitrine could not start: ${error.message}`);
  if (error.code === 'internal') console.error(error.cause ?? thrown);
  process.exitCode = 1;
}
