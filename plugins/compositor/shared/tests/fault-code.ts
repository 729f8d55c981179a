import { AppError } from '../../../../core/protocol/errors.ts';

/** The code of the AppError that a call ends with; `none` when it returns, and what else was thrown as text. */
export function faultCode(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : `no AppError: ${String(thrown)}`;
  }
}

/** What the fault of a call says; empty when it returns. */
export function faultText(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.message : `no AppError: ${String(thrown)}`;
  }
}
