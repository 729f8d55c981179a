import { AppError } from '../../../host/plugin.ts';
import type { ActivateSession } from '../../../host/plugin.ts';
import { printTurnToken } from './page-printer.ts';

/** Makes a person's tabs print one at a time. */
export const activateSession: ActivateSession = ({ services }) => {
  let isTaken = false;
  services.provide(printTurnToken, {
    take: () => {
      if (isTaken) throw new AppError('print-busy', 'Something is being printed.', { retryable: true });
      isTaken = true;
      return () => (isTaken = false);
    },
  });
};
