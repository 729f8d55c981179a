import { AppError } from '../protocol/errors.ts';

/** What the client logger does; it accepts nothing else (S-089). */
const OPERATIONS: readonly string[] = ['clientevent', 'pingstats'];

/** The address of an operation of the client logger. @throws AppError `unknown-operation`. */
export function loggerPath(operation: string): string {
  if (!OPERATIONS.includes(operation))
    throw new AppError('unknown-operation', `the client logger has no operation ${operation}`);
  return `/safeview-client-logger/${operation}`;
}
