/** Calls of a cell to the gateway. The person is the one that the gateway has assigned, whatever the cell sends. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type { SystemFonts } from '../fonts/system-fonts.ts';
import type { Person } from '../base/person.ts';
import type { LinkHandler, LinkPeer } from '../link/api.ts';
import { HeldBodies } from '../link/held-bodies.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { MAX_KEPT_COOKIES_BYTES } from '../base/kept-cookies.ts';
import type { KeptCookies } from '../base/kept-cookies.ts';
import { CALL_SERVICE, TAKE_BODY, takeBodySchema } from '../plugins/service-protocol.ts';
import { familiesSchema, grantRequestSchema, jsonBody, readBody, TO_GATEWAY } from './protocol.ts';
import { takeReports } from './reports.ts';
import { ServiceGrants } from './service-grants.ts';
import { servicesFor } from './services.ts';
import type { ReportListener } from './reports.ts';
import type { Decoders } from './decoders.ts';
import type { KeptBodies } from './kept-bodies.ts';
import type { Services } from './services.ts';

/** Maximum bytes of bodies that one cell's calls hold in the gateway, collected or waiting to be sent. A call beyond it is refused. */
const MAX_COLLECTED_BYTES = 64 * 1024 * 1024;

/** Parts that exist once per machine. */
export interface CellStores {
  readonly fonts: SystemFonts;
  readonly cookies: KeptCookies;
  /** Service halves of plugins. */
  readonly services: Services;
  /** Decoders of pictures. */
  readonly decoders: Decoders;
}

interface Served extends ReportListener {
  /** Undefined until the cell has a person. */
  readonly person: () => Person | undefined;
  readonly policy: PolicyEngine;
  /** Bodies of services that its routes answer with. */
  readonly kept: KeptBodies;
}

/** Answers the calls of a cell until the link ends. */
export function serveGateway(peer: LinkPeer, { fonts, cookies, services, decoders }: CellStores, served: Served): void {
  const { policy } = served;
  const person = (): Person => {
    const known = served.person();
    if (!known) throw new AppError('cell-unused', 'The cell has no person yet.');
    return known;
  };
  const granted = new ServiceGrants({
    grant: async (url, userAgent) => (await policy.grant(person(), url, userAgent)).capabilities,
    namesFor: (capabilities) => services.namesFor(capabilities),
  });
  onAbort(
    peer.closed,
    policy.onChange((changed) => {
      if (!changed || changed.subject === served.person()?.subject) granted.changed();
    }),
  );
  const held = new HeldBodies(MAX_COLLECTED_BYTES, tooMuch);
  const collect = (method: string, handler: LinkHandler, expected = 0): unknown =>
    peer.handle(method, held.counting(handler, expected));
  peer.handle(TO_GATEWAY.grant, async ({ params }) => {
    const { url, userAgent } = validate(grantRequestSchema, params, TO_GATEWAY.grant);
    const { changes } = granted;
    const grant = await policy.grant(person(), url, userAgent);
    granted.note(url, userAgent, grant.capabilities, changes);
    return { value: grant };
  });
  collect(TO_GATEWAY.policy, () => ({ body: jsonBody(policy.slice(person())) }));
  let isKeeping = false;
  collect(TO_GATEWAY.keepCookies, async ({ body }) => {
    if (isKeeping) throw new AppError('cookies-busy', 'Cookies of this cell are being written.', { retryable: true });
    isKeeping = true;
    try {
      await cookies.keep(person().subject, await readBody(body, MAX_KEPT_COOKIES_BYTES));
    } finally {
      isKeeping = false;
    }
    return {};
  });
  collect(
    TO_GATEWAY.findCookies,
    async () => {
      const body = await cookies.find(person().subject);
      return body ? { body } : {};
    },
    MAX_KEPT_COOKIES_BYTES,
  );
  peer.handle(TO_GATEWAY.forgetCookies, async () => {
    await cookies.forget(person().subject);
    return {};
  });
  collect(TO_GATEWAY.learnFonts, async ({ params, signal }) => {
    const { families } = validate(familiesSchema, params, TO_GATEWAY.learnFonts);
    await fonts.learn(families, signal, peer);
    const faces = families.flatMap((family) => {
      const found = fonts.faces(family);
      return found ? [[family, found] as const] : [];
    });
    return { body: jsonBody({ available: fonts.available, faces }) };
  });

  const decoder = decoders.forPerson();
  onAbort(peer.closed, () => decoder.close());
  peer.handle(TO_GATEWAY.convertPicture, (request) => {
    person();
    return decoder.convert(request);
  });

  serveServices(peer, services, granted, served, person);
  takeReports(peer, served);
}

/** Answers calls of services, and lets them know when the session of the cell is over. */
function serveServices(
  peer: LinkPeer,
  services: Services,
  granted: ServiceGrants,
  served: Served,
  person: () => Person,
): void {
  const { kept } = served;
  const session = randomUUID();
  const callService = servicesFor(
    services,
    () => ({ person: person().subject, session }),
    (service) => granted.has(service),
    kept,
  );
  onAbort(peer.closed, () => kept.close(new AppError('link-closed', 'The cell has ended.')));
  onAbort(peer.closed, () => {
    const known = served.person();
    if (known) setImmediate(() => services.sessionOver({ person: known.subject, session })); // the calls of the cell are aborted by then
  });
  peer.handle(CALL_SERVICE, (request) => callService(request));
  peer.handle(TAKE_BODY, ({ params }) => ({ body: kept.take(validate(takeBodySchema, params, TAKE_BODY).name) }));
}

function tooMuch(): AppError {
  return new AppError('link-busy', 'The bodies of the calls of this cell are too large together.', { retryable: true });
}
