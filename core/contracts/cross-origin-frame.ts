import { token } from './token.ts';

/** What the cross-origin helper frame does for the shell (S-136). */
export const HELPER_METHODS = ['cookies', 'auth', 'upload', 'user-input'] as const;
export type HelperMethod = (typeof HELPER_METHODS)[number];

/** How far a call to the helper is, from 0 to 1; uploads tell it. */
export type HelperProgress = (share: number) => void;

/** The frame at the inspect domain that speaks to that domain for the shell. It is opened for the first call. */
export interface Helper {
  /**
   * Calls a method with parameters that JSON can carry, and a file where it takes one.
   *
   * @throws AppError `helper-unreachable`, `helper-failed`
   */
  call(method: HelperMethod, params: object, file?: Blob, onProgress?: HelperProgress): Promise<unknown>;
  /** Whether calls go by the inspect host from now on, or by the cluster's (S-122). */
  useInspectHost(use: boolean): Promise<void>;
}

/** The tab's helper; the core provides it. */
export const helperToken = token<Helper>('vitrine.helper');
