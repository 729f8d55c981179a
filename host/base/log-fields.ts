import { createHash } from 'node:crypto';

/** Fields of log lines that hold ids by which a session or a tab is reached. */
const SECRET_FIELDS = ['cid', 'tab', 'tabId', 'tab_id', 'chid', 'rid', 'safe_rid', 'safeRid', 'token'] as const;

/** Shortens a value to a digest: lines of one session can be distinguished, and nobody can enter it with them. */
function digest(value: unknown): unknown {
  return typeof value === 'string' ? `#${createHash('sha256').update(value).digest('hex').slice(0, 10)}` : undefined;
}

/** Serializers of the host's log, by field. */
export const LOG_SERIALIZERS: Readonly<Record<string, (value: unknown) => unknown>> = Object.fromEntries(
  SECRET_FIELDS.map((field) => [field, digest]),
);
