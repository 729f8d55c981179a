import { standBefore } from '../../../core/main.ts';
import type { ActivateMain, PageCall } from '../../../core/main.ts';

/** Of the options of a request, what says whether anything may be shown; anything may be in it. */
interface Options {
  readonly publicKey?: unknown;
  readonly mediation?: unknown;
  readonly uiMode?: unknown;
}

/** What the person's browser cannot be asked for, as capabilities. */
const MISSING = ['conditionalCreate', 'immediateGet'] as const;

/**
 * Refuses requests that show nothing where there is no passkey at hand: Chromium hands them on like any other, and the person would be
 * asked.
 */
export const activate: ActivateMain = () => {
  if (!isSecureContext) return; // no credentials there
  const OwnDOMException = DOMException;
  const { prototype } = CredentialsContainer;
  /** Async: what the page's options throw is a rejection, as it is natively. */
  const unless =
    (isQuiet: (options: Options) => boolean) =>
    async ({ args, native }: PageCall): Promise<unknown> => {
      const options = (args[0] ?? {}) as Options; // nothing is taken for granted of what is in it
      if (options.publicKey != null && isQuiet(options))
        throw new OwnDOMException('The request is not allowed in this context.', 'NotAllowedError');
      return native();
    };
  const isAutomatic = ({ mediation }: Options): boolean => mediation === 'conditional';
  const isImmediate = ({ mediation, uiMode }: Options): boolean => mediation === 'silent' || uiMode === 'immediate';
  standBefore(prototype, 'create', unless(isAutomatic));
  standBefore(prototype, 'get', unless(isImmediate));
  standBefore(PublicKeyCredential, 'getClientCapabilities', async ({ native }) => {
    const capabilities = (await native()) as Record<string, boolean>; // as the standard has it
    for (const name of MISSING) if (name in capabilities) capabilities[name] = false;
    return capabilities;
  });
};
