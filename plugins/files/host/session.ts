import { fileDeskToken } from '../../../host/plugin.ts';
import type { ActivateSession } from '../../../host/plugin.ts';
import { Desk, ownFilesToken } from './desk.ts';

/** Keeps the files of one person's session. */
export const activateSession: ActivateSession = ({ service, services, onDispose }) => {
  const desk = new Desk(service);
  services.provide(fileDeskToken, desk);
  services.provide(ownFilesToken, desk);
  onDispose(() => desk.dispose());
};
