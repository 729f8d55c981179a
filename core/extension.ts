/**
 * Entry for extension halves: they run in the service worker of the surrogate's extension, which no page reaches, with the permissions of
 * the browser's extensions that their manifest names. The worker ends when it has nothing to do: register listeners at once.
 */
interface ExtensionScope {
  /**
   * Calls the session half of the same plugin with a value that JSON carries. Rejects where nobody answers: the person does not have the
   * plugin.
   */
  call(value: unknown): Promise<unknown>;
}

/** An extension half, `extension/index.ts`, exports `activate`. */
export type ActivateExtension = (scope: ExtensionScope) => void;
