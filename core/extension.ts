/**
 * Entry for extension halves. They run in the service worker of the surrogate's extension, which no page can reach, with the extension
 * permissions that their manifest names. The worker stops when it is idle: register listeners immediately.
 */
interface ExtensionScope {
  /** Calls the session half of the same plugin with a JSON value. Rejects when there is no handler: the person does not have the plugin. */
  call(value: unknown): Promise<unknown>;
}

/** An extension half, `extension/index.ts`, exports `activate`. */
export type ActivateExtension = (scope: ExtensionScope) => void;
