import type { ActivateSession } from '../../../host/plugin.ts';
import { Relations, relationsToken } from './relations.ts';

/** Provides the relations of the person's tabs to the host halves of all of them. */
export const activateSession: ActivateSession = ({ services }) => {
  services.provide(relationsToken, new Relations());
};
