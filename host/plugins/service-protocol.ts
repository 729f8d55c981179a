/** Calls on the links between a cell, the gateway and the process of a service half. */
import * as v from 'valibot';
import { MAX_SERVICE_DEADLINE_MS } from '../contracts/service-scope.ts';
import { optionSchema } from '../declared/options.ts';

/** Calls to the process of a service half. */
export const TO_SERVICE = {
  /** Activates the half; once, before everything else. Params: {@link serviceSetUpSchema}; body: the plugin, where it is from outside the build. */
  setUp: 'service.set-up',
  /** Params: {@link serviceCallSchema}; bodies both ways. */
  call: 'service.call',
  /** Notice: the session of a caller is over. Params: {@link serviceCallerSchema}. */
  sessionOver: 'service.session-over',
  /** Ends it in order; answered once its last records are sent. */
  close: 'service.close',
} as const;

/** Call from a cell to the gateway. Params: {@link serviceRequestSchema}; bodies both ways. */
export const CALL_SERVICE = 'service.request';

/** Call from a cell to the gateway: gets a body that was kept. Params: {@link takeBodySchema}; answered by the body. */
export const TAKE_BODY = 'service.take-body';

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
const deadlineMs = v.pipe(v.number(), v.minValue(1), v.maxValue(MAX_SERVICE_DEADLINE_MS));

export const serviceSetUpSchema = v.object({
  /** Name of the service, of a plugin of the build; absent: the plugin is the body. */
  builtIn: v.exactOptional(text(200)),
  /** Values of the options of its plugin. */
  options: v.record(text(100), optionSchema),
  logLevel: v.picklist(['debug', 'info', 'warn', 'error']),
  /** Whether its current folder is one in which it may keep files. */
  storage: v.boolean(),
});
export type ServiceSetUp = v.InferOutput<typeof serviceSetUpSchema>;

export const serviceRequestSchema = v.object({
  service: text(1200),
  method: text(100),
  params: v.optional(v.unknown()),
  deadlineMs,
  /** The body of the answer stays at the gateway: the answer is {@link keptAnswerSchema} then. */
  keepsBody: v.exactOptional(v.literal(true)),
});
export type ServiceRequested = v.InferOutput<typeof serviceRequestSchema>;

const keptName = text(50);
/** The value of a service's answer, and the name of its body where it has one. */
export const keptAnswerSchema = v.object({ value: v.optional(v.unknown()), kept: v.exactOptional(keptName) });
export const takeBodySchema = v.object({ name: keptName });

const caller = { person: text(1000), session: text(100) };
export const serviceCallerSchema = v.object(caller);

export const serviceCallSchema = v.object({
  ...caller,
  method: text(100),
  params: v.optional(v.unknown()),
});
