import { interceptMethod } from '../../../core/main.ts';
import type { ActivateMain, PageCall } from '../../../core/main.ts';

/** The options of a request that control whether UI may be shown. Untrusted. */
interface Options {
  readonly publicKey?: unknown;
  readonly mediation?: unknown;
  readonly uiMode?: unknown;
}

/** Capabilities that the person's browser cannot provide here. */
const MISSING = ['conditionalCreate', 'immediateGet'] as const;

/**
 * Rejects requests that must show no UI where no passkey is available: Chromium forwards them like any other, and the person would be
 * asked.
 */
export const activate: ActivateMain = () => {
  if (!isSecureContext) return; // no credentials in insecure contexts
  const OwnDOMException = DOMException;
  const { prototype } = CredentialsContainer;
  /** Async, so that an error thrown by the page's options becomes a rejection, as in the native method. */
  const unless =
    (isQuiet: (options: Options) => boolean) =>
    async ({ args, native }: PageCall): Promise<unknown> => {
      const options = (args[0] ?? {}) as Options; // its content is not trusted
      if (options.publicKey != null && isQuiet(options))
        throw new OwnDOMException('The request is not allowed in this context.', 'NotAllowedError');
      return native();
    };
  const isAutomatic = ({ mediation }: Options): boolean => mediation === 'conditional';
  const isImmediate = ({ mediation, uiMode }: Options): boolean => mediation === 'silent' || uiMode === 'immediate';
  interceptMethod(prototype, 'create', unless(isAutomatic));
  interceptMethod(prototype, 'get', unless(isImmediate));
  interceptMethod(PublicKeyCredential, 'getClientCapabilities', async ({ native }) => {
    const capabilities = (await native()) as Record<string, boolean>; // as in the standard
    for (const name of MISSING) if (name in capabilities) capabilities[name] = false;
    return capabilities;
  });
};
