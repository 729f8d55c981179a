/** Options of an {@link AppError}, besides code and message. */
interface AppErrorOptions {
  /** Structured-cloneable details for logs and for the other side; never markup, never a secret. */
  readonly data?: unknown;
  /** True when the same call may succeed later without changes by the caller. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** The wire form of an error: sent to the other side when a call fails. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  readonly data?: unknown;
  readonly retryable: boolean;
}

/** The one error class of the project. Branch on `code`; each owner keeps a table of its codes. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: string;
  readonly data: unknown;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
    this.retryable = options.retryable ?? false;
  }

  /** Returns the wire form. The cause and the stack are not sent. */
  toRecord(): ErrorRecord {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
  }
}

/** Converts any thrown value to an AppError. Other values get the code `internal` and become the cause. */
export function toAppError(thrown: unknown, code = 'internal'): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError(code, message, { cause: thrown });
}
