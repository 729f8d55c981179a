import { toAppError } from '../../../host/plugin.ts';
import type { ActivateSession } from '../../../host/plugin.ts';
import { geolocationToken, OriginPermissions } from './origin-permissions.ts';
import { Refusals, refusalsToken } from './refusals.ts';

/** Stores the person's geolocation decisions, and applies them to each new browser of the person. */
export const activateSession: ActivateSession = ({ surrogate, services, log }) => {
  const geolocation = new OriginPermissions((origin, setting) =>
    surrogate.setPermission(origin, 'geolocation', setting),
  );
  surrogate.onRenewed(() => {
    geolocation.renew().catch((thrown: unknown) => {
      log.info('permissions could not be set in a new browser', { code: toAppError(thrown).code });
    });
  });
  services.provide(geolocationToken, geolocation);
  services.provide(refusalsToken, new Refusals());
};
