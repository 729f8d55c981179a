import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import { CLIENT_BASE } from '../build/base.ts';
import { ADMISSION_COOKIE, ADMISSION_MAX_AGE_S, ADMISSION_PATH } from './admission.ts';
import type { Admission } from './admission.ts';
import { sendDocument } from './frame-routes.ts';
import { COF_PATH } from './helper-frames.ts';
import { escapeHtml } from './html.ts';
import { languageOf } from './language.ts';
import { ownCookie, setOwnCookie } from './own-cookies.ts';
import { isNavigation } from './stray-paths.ts';

/** Routes for everybody: those of load balancers, and the one that admits. */
const OPEN_ROUTES: readonly string[] = ['/healthz', '/readyz', ADMISSION_PATH];
/** Routes of the helper frame, at whose host a browser is admitted with the person that it has at the shell's. */
const HELPER_ROUTES: readonly string[] = [
  COF_PATH,
  `${CLIENT_BASE}*`,
  '/safeview-auth-server/check',
  '/safeview-auth-server/do_itok_auth',
];

const STYLE = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}';
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Options of admission. */
interface AdmissionRoutes {
  /** Absent where everybody who reaches the host may use it. */
  readonly admission?: Admission | undefined;
  /** Hosts of the helper frame other than the shell's. */
  readonly helperHosts: readonly string[];
}

/** Refuses all requests of browsers that are not admitted, but for the routes that admit them; before these have a person. */
export function admitRequests(app: FastifyInstance, { admission, helperHosts }: AdmissionRoutes): void {
  app.decorateRequest('isAdmitted', true);
  if (!admission) return;
  app.addHook('onRequest', async (request, reply) => {
    request.isAdmitted = admission.admits(ownCookie(request, ADMISSION_COOKIE));
    const route = request.routeOptions.url ?? '';
    if (request.isAdmitted || OPEN_ROUTES.includes(route)) return undefined;
    if (HELPER_ROUTES.includes(route) && helperHosts.includes(request.headers.host ?? '')) return undefined;
    if (isNavigation(request)) return refuse(request, reply);
    throw new AppError(
      'not-admitted',
      'This browser is not admitted: open the link that the host printed at its start.',
    );
  });
}

/** GET of the link that admits a browser. Its answer leads away from the address with the token. */
export function admissionRoutes(app: FastifyInstance, { admission }: Pick<AdmissionRoutes, 'admission'>): void {
  app.get<{ Querystring: { token?: unknown } }>(ADMISSION_PATH, { exposeHeadRoute: false }, (request, reply) => {
    if (admission && !admission.isToken(request.query.token)) return refuse(request, reply);
    if (admission) admit(request, reply, admission);
    return reply.header('cache-control', 'no-store').redirect('/', 303);
  });
}

/** Admits a browser, with a cookie. */
export function admit(request: FastifyRequest, reply: FastifyReply, admission: Admission): void {
  setOwnCookie(request, reply, { name: ADMISSION_COOKIE, value: admission.issue(), maxAge: ADMISSION_MAX_AGE_S });
}

function refuse({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language, direction, texts } = languageOf(headers['accept-language']);
  const { title, text } = texts.admission;
  return sendDocument(
    reply.code(403),
    POLICY,
    `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>Vitrine</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</main>
</body>
</html>
`,
  );
}
