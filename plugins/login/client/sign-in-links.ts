import type { Renderer } from '../../../core/index.ts';

/** Parameter by which the portal of a multi-page app marks its link for signing in again; sites never see it. */
const SIGN_IN_PARAMETER = '_sv_sign_in';

/** The page behind a link of the view, whose links are paths of the host below the app's prefix; undefined when it is none. */
function pageBehind(href: string, prefix: string): URL | undefined {
  if (!href.startsWith(prefix)) return undefined;
  return URL.parse(href.slice(prefix.length).replace(/^(https?):\/{1,2}/i, '$1://')) ?? undefined;
}

/** Whether a link of a page is one for signing in again: it is marked as such, and leads to the page's own origin, the portal's (S-009). */
function isSignInLink(href: string, prefix: string, pageUrl: string): boolean {
  const page = pageBehind(href, prefix);
  return page !== undefined && page.origin === URL.parse(pageUrl)?.origin && page.searchParams.has(SIGN_IN_PARAMETER);
}

/** What the links of a portal are watched with. */
interface SignInLinks {
  readonly renderer: Renderer;
  /** `/mpa/{id}/` */
  readonly prefix: string;
  readonly pageUrl: () => string;
  readonly signIn: () => void;
}

/** Has the person sign in at the top, instead of in the isolated page, when they press such a link (S-009). Answers with its undo. */
export function watchSignInLinks({ renderer, prefix, pageUrl, signIn }: SignInLinks): () => void {
  return renderer.documents(({ document }) => {
    const onClick = (event: MouseEvent): void => {
      if (event.button !== 0) return;
      const link = event.composedPath().find((node) => (node as Partial<Element>).localName === 'a');
      const href = (link as Element | undefined)?.getAttribute('href') ?? ''; // an element by its name; of the view's realm
      if (!isSignInLink(href, prefix, pageUrl())) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      signIn();
    };
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  });
}
