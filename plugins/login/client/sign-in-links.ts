import type { Renderer } from '../../../core/index.ts';

/** Parameter with which the portal of a multi-page app marks its link for signing in again. Sites never see it. */
const SIGN_IN_PARAMETER = '_sv_sign_in';

/** The page of a link in the view. Such links are paths of the host below the app's prefix; undefined for other links. */
function pageBehind(href: string, prefix: string): URL | undefined {
  if (!href.startsWith(prefix)) return undefined;
  return URL.parse(href.slice(prefix.length).replace(/^(https?):\/{1,2}/i, '$1://')) ?? undefined;
}

/** Whether a link of a page is for signing in again: it is marked, and points to the page's own origin, which is the portal's (S-009). */
function isSignInLink(href: string, prefix: string, pageUrl: string): boolean {
  const page = pageBehind(href, prefix);
  return page !== undefined && page.origin === URL.parse(pageUrl)?.origin && page.searchParams.has(SIGN_IN_PARAMETER);
}

/** Dependencies of {@link watchSignInLinks}. */
interface SignInLinks {
  readonly renderer: Renderer;
  /** `/mpa/{id}/` */
  readonly prefix: string;
  readonly pageUrl: () => string;
  readonly signIn: () => void;
}

const EVENTS = ['mousedown', 'keydown', 'click', 'auxclick'] as const;

/**
 * Makes clicks on such links, and Enter, sign in at the top window instead of in the isolated page, which hears nothing of them (S-009). Returns
 * a function that undoes it.
 */
export function watchSignInLinks({ renderer, prefix, pageUrl, signIn }: SignInLinks): () => void {
  return renderer.documents(({ document }) => {
    const take = (event: MouseEvent | KeyboardEvent): void => {
      // Enter becomes a click.
      if ('key' in event ? event.key !== 'Enter' : event.button > 1) return;
      const link = event.composedPath().find((node) => (node as Partial<Element>).localName === 'a');
      const href = (link as Element | undefined)?.getAttribute('href') ?? ''; // an element with this name, from the view's realm
      if (!isSignInLink(href, prefix, pageUrl())) return;
      event.stopImmediatePropagation();
      if (!/click$/.test(event.type)) return;
      event.preventDefault();
      signIn();
    };
    const view = document.defaultView;
    // Before the document's listeners, which forward input and open links in tabs.
    for (const type of EVENTS) view?.addEventListener(type, take, true);
    return () => {
      for (const type of EVENTS) view?.removeEventListener(type, take, true);
    };
  });
}
