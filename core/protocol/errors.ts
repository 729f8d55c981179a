/** What an {@link AppError} carries beside its code and message. */
interface AppErrorOptions {
  /** Structured-cloneable detail for logs and for the other side; never markup, never a secret. */
  readonly data?: unknown;
  /** True when the same call may succeed later without any change by the caller. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** The wire form of an error: what a failed call sends to the other side. */
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

  /** The wire form; the cause and the stack stay on this side. */
  toRecord(): ErrorRecord {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
  }
}

/** Any thrown value as an AppError; what is none already becomes `internal` and keeps the original as its cause. */
export function toAppError(thrown: unknown, code = 'internal'): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError(code, message, { cause: thrown });
}
