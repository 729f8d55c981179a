/** Identifies a service that one plugin provides and others require, without a dependency between them. */
export interface Token<T> {
  readonly name: string;
  /** Carries the type only; never present at run time. */
  readonly type?: T;
}

/** Declares a service token; names are `owner.service`. */
export function token<T>(name: string): Token<T> {
  return { name };
}
