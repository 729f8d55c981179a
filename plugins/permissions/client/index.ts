import { question, slot, Snackbar, textsToken } from '../../../core/index.ts';
import type { ActivateClient, QuestionProps } from '../../../core/index.ts';
import {
  perm,
  permissionRefused,
  permissionRequest,
  permissionsOver,
  POSITION_ERROR,
  promiseResponse,
} from '../protocol.ts';
import type { PromiseOutcome } from '../protocol.ts';

const location = slot<QuestionProps>('permissions.request', 'dialog');

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Asks the person, then the person's browser, which may also ask (R-090, S-135). */
export const activate: ActivateClient = async (scope) => {
  const { commands, services, slots, onDispose } = scope;
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  let asking = new AbortController();
  const end = (): void => asking.abort();

  commands.handle(permissionRequest, async (request) => {
    end();
    const { signal } = (asking = new AbortController());
    const { id, name, site, isGiven, stays } = request;
    if (!isGiven) {
      const ask = {
        title: texts.text('permissions.location-title', { site: site || texts.text('permissions.this-page') }),
        text: texts.text('permissions.location-text'),
        no: texts.text('permissions.block'),
        yes: texts.text('permissions.allow'),
      };
      const granted = (await slots.ask(location, question, ask, signal)) === true;
      if (isOver(signal)) return;
      commands.send(perm, { id, name, granted });
      if (!granted) return;
    }
    locate(stays, signal, (outcome) => commands.send(promiseResponse, { id, outcome }));
  });
  const snackbar = new Snackbar(scope);
  commands.handle(permissionRefused, ({ name, site }) => {
    snackbar.show(texts.text(`permissions.refused-${name}`, { site: site || texts.text('permissions.this-page') }));
  });
  commands.handle(permissionsOver, end);
  onDispose(end);
};

/** Whether the signal was aborted. The compiler cannot know that this may change during an await. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted;
}

/**
 * Whether the browser allows this page to locate the person. Checked because a document that is being closed gets a "denied" error even
 * when the permission is granted.
 */
async function isGranted(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted';
  } catch {
    return false; // the browser does not report it
  }
}

/** Reports this browser's position, once, or on each change until the signal is aborted. */
function locate(stays: boolean, signal: AbortSignal, report: (outcome: PromiseOutcome) => void): void {
  const found = ({ coords: { latitude, longitude, accuracy } }: GeolocationPosition): void => {
    if (!signal.aborted) report({ ok: true, value: { latitude, longitude, accuracy } });
  };
  const failed = async ({ code }: Pick<GeolocationPositionError, 'code'>): Promise<void> => {
    const isRefused = code === POSITION_ERROR.permissionDenied && !(await isGranted());
    const known = isRefused || code === POSITION_ERROR.timeout ? code : POSITION_ERROR.positionUnavailable;
    if (!signal.aborted) report({ ok: false, code: known });
  };
  const { geolocation } = navigator as Partial<Navigator>; // missing on pages without https
  const fail = (error: Pick<GeolocationPositionError, 'code'>): void => void failed(error);
  if (!geolocation) fail({ code: POSITION_ERROR.positionUnavailable });
  else if (stays) {
    const watch = geolocation.watchPosition(found, fail);
    signal.addEventListener('abort', () => geolocation.clearWatch(watch), { once: true });
  } else geolocation.getCurrentPosition(found, fail);
}
