import { AppError } from '../../core/protocol/errors.ts';

/**
 * Flags that a request for a browser may add: rendering and features of pages, nothing about programs, files, network
 * or isolation.
 */
const NAMES = new Set([
  '--accept-lang',
  '--autoplay-policy',
  '--blink-settings',
  '--disable-blink-features',
  '--disable-features',
  '--disable-gpu',
  '--disable-lcd-text',
  '--enable-blink-features',
  '--enable-features',
  '--font-render-hinting',
  '--force-color-profile',
  '--force-dark-mode',
  '--force-device-scale-factor',
  '--force-prefers-reduced-motion',
  '--lang',
  '--window-size',
]);
/** Features that affect isolation, or what sites may store. */
const WALLS =
  /(^|,)(IsolateOrigins|SitePerProcess|NetworkServiceSandbox|SpareRendererForSitePerProcess|StorageQuotaSettings)/i;
const FORM = /^(--[a-z0-9-]+)(=[\w.,:;/ ()<>=-]*)?$/i;

/**
 * Checks flags that are not part of the host's configuration. @throws AppError `surrogate-launch-failed` for one that
 * is not on the list.
 */
export function assertExtraFlags(args: readonly string[]): void {
  const flag = args.find((arg) => {
    const [, name = '', value = ''] = FORM.exec(arg) ?? [];
    return !NAMES.has(name) || (/-features$/.test(name) && WALLS.test(value.slice(1)));
  });
  if (flag !== undefined)
    throw new AppError('surrogate-launch-failed', `The flag ${flag} is not allowed in a request.`, {
      data: { flag },
    });
}
