import { token } from './token.ts';

/** Methods of the cross-origin helper frame (S-136). */
export const HELPER_METHODS = ['cookies', 'auth', 'upload', 'user-input'] as const;
export type HelperMethod = (typeof HELPER_METHODS)[number];

/** Reports the progress of a call to the helper, from 0 to 1. Only uploads report it. */
export type HelperProgress = (share: number) => void;

/** The frame at the inspect domain that makes requests to that domain for the shell. It is opened for the first call. */
export interface Helper {
  /**
   * Calls a method with parameters that JSON can carry, and a file where it takes one.
   *
   * @throws AppError `helper-unreachable`, `helper-failed`
   */
  call(method: HelperMethod, params: object, file?: Blob, onProgress?: HelperProgress): Promise<unknown>;
  /** Selects the host of later calls: the inspect host, or the cluster's (S-122). */
  useInspectHost(use: boolean): Promise<void>;
}

/** The tab's helper; the core provides it. */
export const helperToken = token<Helper>('vitrine.helper');
