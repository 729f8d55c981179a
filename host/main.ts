/** The command line and the composition root of a host on one machine: the gateway in this process, a cell for each person beside it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { AppError, toAppError } from '../core/protocol/errors.ts';
import { openCells } from './compose/cells.ts';
import { listen } from './compose/listen.ts';
import { openPolicy } from './compose/policy.ts';
import { loadProgram } from './compose/program.ts';
import { stopInOrder } from './compose/stop.ts';
import { isExposed } from './base/exposure.ts';
import { admission as admissionOf } from './gateway/admission.ts';
import { CLIENT_EVENTS, openEventLog } from './gateway/event-log.ts';
import { integrityTokens } from './gateway/integrity-tokens.ts';
import { createMetrics } from './gateway/metrics.ts';
import { hostSecret, personCookies } from './gateway/person.ts';
import { pluginRecords } from './gateway/plugin-records.ts';
import { createGateway } from './gateway/server.ts';
import type { DeclaredOption } from './declared/options.ts';
import { hostLog } from './base/host-log.ts';
import { LOG_SERIALIZERS } from './base/log-fields.ts';
import { isReloading, reloadOptions, usage } from './compose/options.ts';
import type { Options } from './compose/options.ts';
import { bypassTokens } from './policy/bypass.ts';
import { readOptions } from './compose/read-options.ts';
import { reloading } from './base/reload.ts';

const root = path.dirname(import.meta.dirname);

async function serve(options: Options, declared: readonly DeclaredOption[]): Promise<void> {
  const pinoLog = hostLogger(options.logLevel);
  const log = hostLog(pinoLog);
  const program = await loadProgram(root, options);
  const secret = await hostSecret(options.data);
  const { chromium } = options;
  if (chromium === undefined)
    throw new AppError('no-chromium', 'no Chromium is named: use --chromium PATH or VITRINE_CHROMIUM');

  const policy = await openPolicy(program, options.policy, log);
  const metrics = createMetrics();
  const records = pluginRecords({
    manifests: program.plugins.map(({ manifest }) => manifest),
    dataDir: options.data,
    metrics,
    onDiskFault: (thrown) => pinoLog.error({ err: thrown }, 'events of plugins are not kept'),
  });
  const { processes, services, decoders, worker } = await openCells({
    root,
    options,
    chromium,
    program,
    declared,
    policy: policy.engine,
    metrics,
    records,
    log,
  });
  const events = openEventLog(options.data, CLIENT_EVENTS, (thrown) =>
    pinoLog.error({ err: thrown }, 'client events are not kept'),
  );
  metrics.gauge('vitrine_client_events_dropped', 'Client events that could not be kept', () => events.dropped);
  const tls = await readTls(options);
  const exposed = isExposed(options);
  const admission = exposed && !options.allowAnonymous ? admissionOf(secret) : undefined;
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
    gallery: options.gallery ? path.resolve(import.meta.dirname, '..') : undefined,
    inspectOrigin: options.inspectOrigin,
    clusterOrigin: options.clusterOrigin,
    loginOrigins: options.loginOrigins,
    admission,
    isExposed: exposed,
    trustedProxies: options.trustedProxies,
    protection: {
      limits: processes.limits,
      decoderNetwork: processes.network,
      network: { allowed: options.allowNetworks, isPrivateAllowed: options.allowPrivateNetworks },
      settings: program.settings,
    },
    ...(tls ? { tls } : {}),
  });
  stopInOrder({ policy, worker, gateway, services, decoders, processes, events, records, metrics, log: pinoLog });

  try {
    await listen({ options, gateway, worker, metrics, admission });
  } catch (thrown) {
    await worker.drain('not started');
    await processes.close();
    throw thrown;
  }
}

/** The host's log: lines of JSON on standard error, written at once. */
function hostLogger(level: string): Logger {
  return pino({ level, serializers: LOG_SERIALIZERS }, pino.destination({ dest: 2, sync: false }));
}

async function readTls({ tlsCert, tlsKey }: Options): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return { cert: await readFile(tlsCert), key: await readFile(tlsKey) };
}

try {
  const argv = process.argv.slice(2);
  if (isReloading(argv, process.env)) {
    process.env['VITRINE_RELOAD'] = ''; // for the host that it starts
    const args = argv.filter((arg) => arg !== '--reload');
    process.exitCode = await reloading({ entry: import.meta.filename, args, ...reloadOptions(argv, process.env) });
  } else {
    const { options, declared } = await readOptions(argv, process.env);
    if (options.help) console.log(usage(declared));
    else await serve(options, declared);
  }
} catch (thrown) {
  const error = toAppError(thrown);
  console.error(`Vitrine could not start: ${error.message}`);
  if (error.code === 'internal') console.error(error.cause ?? thrown);
  process.exitCode = 1;
}
