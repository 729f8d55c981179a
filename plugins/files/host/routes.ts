import * as v from 'valibot';
import { AppError, validate } from '../../../host/plugin.ts';
import type {
  DeskFile,
  FileCheck,
  RouteAnswer,
  RouteContext,
  RouteErrors,
  RouteRequest,
  Routes,
} from '../../../host/plugin.ts';
import { ownFilesToken } from './desk.ts';
import type { OwnFiles } from './desk.ts';
import { isGone } from './own-file.ts';
import { byteRange } from './range.ts';

/** Largest body of a call, in bytes: it has two addresses of up to 4,096 characters. */
const MAX_BODY_BYTES = 64 * 1024;

const key = v.pipe(v.string(), v.maxLength(100));
const statusBody = v.looseObject({ file_id: key });
/** A file is judged as soon as it is there: the call finds that under way (M-032). */
const processingBody = v.looseObject({ file_id: key });
const statusQuery = v.looseObject({ rid: key });

/** HTTP statuses of the errors of these routes. */
export const errors: RouteErrors = {
  'file-unknown': 404,
  'file-expired': 404,
  'file-blocked': 403,
  'file-not-ready': 409,
};

/** The status of files, and the files themselves (M-067, M-070, S-117). */
export const routes: Routes = {
  // The session document has it as GET, with the file as `rid`.
  'GET /safeview-fileserv/tc_status': async ({ query }, context) =>
    json(await statusOf(context, validate(statusQuery, query, 'tc_status').rid)),
  'POST /safeview-fileserv/tc_status': async (request, context) =>
    json(await statusOf(context, validate(statusBody, await readJson(request), 'tc_status').file_id)),
  'POST /safeview-fileserv/tc_processing': async (request, context) =>
    json(await statusOf(context, validate(processingBody, await readJson(request), 'tc_processing').file_id)),
  'GET /safeview-fileserv/tc_download/*': async ({ rest, range, ifRange, signal }, { services }) => {
    const files = services.get(ownFilesToken);
    const file = files.get(rest.split('/', 1)[0] ?? ''); // the name of the file may follow
    await file.refresh();
    const { state, sha256 } = file;
    if (state.is === 'growing' || state.is === 'checking' || state.is === 'locked')
      throw new AppError('file-not-ready', 'The file is not judged yet.', { retryable: true });
    if (state.is === 'failed' && isGone(state.reason))
      throw new AppError(state.reason, 'There is no such file, or not any more.');
    if (state.is !== 'allowed' || sha256 === undefined) throw new AppError('file-blocked', 'The file is not served.');
    return served(files, file, { tag: sha256, range, ifRange, signal });
  },
};

async function served(
  files: OwnFiles,
  { key: name, name: filename, size }: DeskFile,
  { tag, range, ifRange, signal }: Pick<RouteRequest, 'range' | 'ifRange' | 'signal'> & { readonly tag: string },
): Promise<RouteAnswer> {
  const isSame = ifRange === undefined || ifRange === `"${tag}"`;
  const asked = isSame ? byteRange(range, size) : undefined;
  const head = { type: 'application/octet-stream', filename, tag } as const;
  if (asked === 'unsatisfiable')
    return { ...head, status: 416, part: { first: 0, last: 0, total: size }, size: 0, body: new Uint8Array() };
  const { first, end } = asked ?? { first: 0, end: size };
  const body = await files.read(name, first, end, signal);
  const part = asked && { status: 206 as const, part: { first, last: end - 1, total: size } };
  return { ...head, ...part, size: end - first, body };
}

/** The download policy reply (M-017). */
async function statusOf({ services }: RouteContext, name: string): Promise<Readonly<Record<string, unknown>>> {
  const reply = { file_id: name, is_arch_subfile: false, plugins: [], block_reasons: [], block_details: {} };
  let file: DeskFile;
  try {
    file = services.get(ownFilesToken).get(name);
  } catch (thrown) {
    if (!(thrown instanceof AppError && thrown.code === 'file-unknown')) throw thrown;
    return { ...reply, action: 'expired', file_size: 0, error: thrown.code };
  }
  await file.refresh();
  const { state, size } = file;
  const known = { ...reply, file_size: size };
  switch (state.is) {
    case 'growing':
      return { ...known, action: 'pending' };
    case 'checking':
      return { ...known, action: 'pending', plugins: pluginsOf(state.checks) };
    case 'locked':
      return { ...known, action: 'preq', attempt: state.attempt };
    case 'allowed': {
      const url = `/safeview-fileserv/tc_download/${file.key}/`;
      return { ...known, action: 'allow', url, scanned: state.isScanned, plugins: pluginsOf(state.checks) };
    }
    case 'blocked':
    case 'quarantined': {
      const { is, reason, checks, rule, message } = state;
      const reasons = is === 'quarantined' ? [reason, is] : [reason];
      const details = { ...(rule !== undefined && { rule }), ...(message !== undefined && { message }) };
      const why = { block_reasons: reasons, block_details: details, plugins: pluginsOf(checks) };
      return { ...known, action: 'block', ...why };
    }
    case 'failed': {
      const isGone = state.reason === 'file-expired' || state.reason === 'file-unknown';
      return { ...known, action: isGone ? 'expired' : 'error', error: state.reason };
    }
    case 'canceled':
      return { ...known, action: 'cancel' };
  }
}

/** The checks for the client: what a scanner says of itself or of its address is for logs. */
function pluginsOf(checks: readonly FileCheck[]): object[] {
  return checks.map(({ plugin, status, result, detail, rule }) => ({
    plugin,
    status,
    ...(rule !== undefined && { rule }),
    ...(result !== undefined && { result }),
    ...(result === 'infected' && detail !== undefined && { detail }),
  }));
}

function json(value: unknown): RouteAnswer {
  return { type: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

/** @throws AppError `body-too-large`, `bad-message` */
async function readJson({ body }: RouteRequest): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new AppError('body-too-large', 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (thrown) {
    throw new AppError('bad-message', 'The body is no JSON.', { cause: thrown });
  }
}
