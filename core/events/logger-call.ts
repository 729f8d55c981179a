import { AppError } from '../protocol/errors.ts';

/** Operations of the client logger; it accepts no others (S-089). */
const OPERATIONS: readonly string[] = ['clientevent', 'pingstats'];

/** The address of an operation of the client logger. @throws AppError `unknown-operation`. */
export function loggerPath(operation: string): string {
  if (!OPERATIONS.includes(operation))
    throw new AppError('unknown-operation', `the client logger has no operation ${operation}`);
  return `/safeview-client-logger/${operation}`;
}
