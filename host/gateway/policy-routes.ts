import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { hostName } from '../base/host-name.ts';
import { BYPASS_COOKIE } from '../../core/protocol/bypass.ts';
import type { BypassTokens } from '../policy/bypass.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { Person } from '../base/person.ts';
import type { Metrics } from './metrics.ts';
import type { RequestLines } from './request-lines.ts';

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
const optional = v.exactOptional;
const page = text(65_536);

const querySchema = v.object({
  url: page,
  policy_keys: v.pipe(v.array(text(100)), v.maxLength(200)),
  transparent_mode: optional(v.boolean()),
  host: optional(text(300)),
});

const actionSchema = v.object({
  url: page,
  host: optional(text(300)),
  safe_rid: optional(text(100)),
  tab_id: optional(text(100)),
  exit_mode: optional(text(100)),
  persistent_policy: optional(v.unknown()),
});
type ActionRequest = v.InferOutput<typeof actionSchema>;

/** Options of the policy routes and of pairing. */
export interface PolicyRoutes {
  readonly policy: PolicyEngine;
  readonly bypass: BypassTokens;
  readonly metrics: Metrics;
}

/**
 * POST /r/policy/query and /r/policy/{action} (S-110, S-112). Actions are counted and logged, refused ones too, as many as a person may cause
 * lines.
 */
export function policyRoutes(app: FastifyInstance, options: PolicyRoutes & { readonly lines: RequestLines }): void {
  const { policy, metrics, lines } = options;
  app.post('/r/policy/query', async (request, reply) => {
    const { url, policy_keys } = validate(querySchema, request.body, 'policy query');
    const answers = policy.answers(request.person, url);
    const asked = policy_keys.filter((key) => Object.hasOwn(answers, key)).map((key) => [key, answers[key]] as const);
    return reply.header('cache-control', 'no-store').send(Object.fromEntries(asked));
  });
  app.post<{ Params: { action: string } }>('/r/policy/:action', async (request, reply) => {
    const { action } = request.params;
    const handle = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!handle) throw new AppError('unknown-action', 'There is no such policy action.');
    const body = validate(actionSchema, request.body, `policy ${action}`);
    const answer = handle(options, request.person, body);
    const outcome = answer ? 'done' : 'refused';
    metrics.policyActions.inc({ action, outcome });
    // Paths and queries may hold secrets of the site.
    const { host, exit_mode } = body;
    const site = URL.parse(body.url)?.origin ?? '';
    lines.write(
      request,
      'info',
      { policyAction: { action, outcome, person: request.person.subject, site, host, exit_mode } },
      'policy action',
    );
    if (!answer) throw new AppError('policy-refused', 'The policy does not allow this.');
    return reply.header('cache-control', 'no-store').send(answer);
  });
}

type Act = (options: PolicyRoutes, person: Person, request: ActionRequest) => object | undefined;

/** Each answers with what is passed on to the caller, or with nothing when the policy forbids it. */
const ACTIONS: Readonly<Record<string, Act>> = {
  bypass({ policy, bypass }, person, { url }) {
    const domain = bypassDomain(policy, person, url);
    return domain === undefined ? undefined : { token: bypass.issue(person.subject, domain), domain };
  },
  readonly_exit({ policy }, person, { url }) {
    if (!policy.exitReadOnly(person, url)) return undefined;
    return { persistent_policy: policy.answers(person, url)['persistent_policy'] };
  },
};

/** The site for which a person may leave isolation; undefined when the policy does not let them. */
function bypassDomain(policy: PolicyEngine, person: Person, address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const { known, settings } = policy.decide(person, address);
  return known && settings.feedback.enable_bypass ? hostName(url.hostname) : undefined;
}

/** Whether a pair request is for a site that the person has left isolation for: it is to be opened directly (M-027). */
export function isBypassed({ policy, bypass }: PolicyRoutes, request: FastifyRequest, address: string): boolean {
  const token = request.cookies[BYPASS_COOKIE];
  const domain = token === undefined ? undefined : bypassDomain(policy, request.person, address);
  return token !== undefined && domain !== undefined && bypass.isValid(token, request.person.subject, domain);
}
