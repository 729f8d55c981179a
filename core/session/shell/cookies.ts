/** A cookie of the shell's own origin that scripts may read; undefined when it does not exist. */
export function readCookie(document: Document, name: string): string | undefined {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  try {
    return found && decodeURIComponent(found.slice(name.length + 1));
  } catch {
    return undefined; // not written by us
  }
}

/** Sets a session cookie for this site only, or with the attributes in `terms`. */
export function setCookie(document: Document, name: string, value: string, terms = 'SameSite=Strict'): void {
  const secure = document.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; ${terms}${secure}`;
}
