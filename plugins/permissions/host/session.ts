import { toAppError } from '../../../host/plugin.ts';
import type { ActivateSession } from '../../../host/plugin.ts';
import { geolocationToken, OriginPermissions } from './origin-permissions.ts';

/** Keeps what the person has decided of pages that want to know where they are, and tells it to whatever browser they have. */
export const activateSession: ActivateSession = ({ surrogate, services, log }) => {
  const geolocation = new OriginPermissions((origin, setting) =>
    surrogate.setPermission(origin, 'geolocation', setting),
  );
  surrogate.onRenewed(() => {
    geolocation.renew().catch((thrown: unknown) => {
      log.info('a new browser could not be told of permissions', { code: toAppError(thrown).code });
    });
  });
  services.provide(geolocationToken, geolocation);
};
