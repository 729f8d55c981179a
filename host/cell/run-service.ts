import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../core/protocol/errors.ts';
import type { AnyManifest } from '../../core/contracts/manifest.ts';
import type { Log } from '../../core/contracts/scope.ts';
import { validate } from '../../core/protocol/message.ts';
import { readJson } from '../cells/protocol.ts';
import type { ActivateService, ServiceScope } from '../contracts/service-scope.ts';
import type { LinkPeer, LinkRequest } from '../link/api.ts';
import * as hostEntry from '../plugin.ts';
import type { BuiltInPlugin } from '../plugins/cell-plugins.ts';
import { lockDown } from '../plugins/threads/lockdown.ts';
import { manifestFrom } from '../plugins/external-manifest.ts';
import { externalServiceSchema } from '../plugins/external-service.ts';
import { RecordBuffer } from '../plugins/record-buffer.ts';
import { serveService } from '../plugins/serve-service.ts';
import { remoteRecords } from './gateway-services.ts';
import { serviceName } from '../plugins/service-client.ts';
import { serviceSetUpSchema, TO_SERVICE } from '../plugins/service-protocol.ts';

/** Maximum size of an external service half, in bytes of JSON. */
const MAX_PLUGIN_BYTES = 64 * 1024 * 1024;

/**
 * Runs a service half in this process, which does nothing else, as the gateway's first call says. Returns a function
 * that disposes of it.
 */
export async function runService(
  peer: LinkPeer,
  { params, body }: Pick<LinkRequest, 'params' | 'body'>,
  builtIn: readonly BuiltInPlugin[],
  logOf: (level: keyof Log) => Log,
): Promise<() => void> {
  const {
    builtIn: name,
    options,
    logLevel,
    storage: hasStorage,
  } = validate(serviceSetUpSchema, params, TO_SERVICE.setUp);
  const log = logOf(logLevel);
  const { manifest, activate } = name === undefined ? await external(body, log) : own(builtIn, name);
  const plugin: ServiceScope['plugin'] = { id: manifest.id, version: manifest.version };
  const buffer = new RecordBuffer([manifest], remoteRecords(peer));
  // The launcher has made its folder the current one.
  const storage = hasStorage ? '.' : undefined;
  const dispose = await serveService(peer, { plugin, activate, options, records: buffer.of(plugin.id), storage, log });
  const close = (): void => {
    dispose();
    buffer.close();
  };
  peer.handle(TO_SERVICE.close, () => {
    close();
    return {};
  });
  return close;
}

interface Found {
  readonly manifest: AnyManifest;
  readonly activate: ActivateService;
}

function own(builtIn: readonly BuiltInPlugin[], name: string): Found {
  const found = builtIn.find(({ manifest }) => serviceName(manifest) === name);
  if (!found?.activateService) throw new AppError('no-service-half', `${name} has no service half`);
  return { manifest: found.manifest, activate: found.activateService };
}

/** A third party's half: this process is held to the permissions of its manifest from here on. */
async function external(body: LinkRequest['body'], log: Log): Promise<Found> {
  const { folder, read, service } = await readJson(body, externalServiceSchema, 'plugin', MAX_PLUGIN_BYTES);
  const manifest = manifestFrom(read, folder);
  const file = path.join(os.homedir(), 'service.mjs');
  await writeFile(file, service, { mode: 0o600 });
  // Built halves take `vitrine/host` from here, so that there is one copy of the error class.
  Reflect.set(globalThis, 'vitrineHost', hostEntry);
  lockDown(manifest.permissions?.node ?? [], log);
  const { activateService } = (await import(pathToFileURL(file).href)) as Record<string, unknown>; // a module is a record of its exports
  if (typeof activateService !== 'function')
    throw new AppError('bad-plugin', `${folder}: host/service exports no function activateService`);
  return { manifest, activate: activateService as ActivateService }; // the contract of the half
}
