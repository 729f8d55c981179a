import { AppError } from '../../../../core/protocol/errors.ts';

/** Returns the code of the AppError that a call throws; `none` when it returns, anything else thrown as text. */
export function faultCode(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : `no AppError: ${String(thrown)}`;
  }
}

/** Returns the message of the error that a call throws; empty when it returns. */
export function faultText(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.message : `no AppError: ${String(thrown)}`;
  }
}
