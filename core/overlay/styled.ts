import { sheetLoaded } from './style-check.ts';

/** Links a style sheet into a document, once. Resolves when it has loaded or failed. */
export function styled(document: Document, href: string): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  if (links.some((link) => link.getAttribute('href') === href)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = link.onerror = () => {
      resolve();
    };
    document.head.append(link);
    void sheetLoaded(link).then(() => resolve()); // a sheet that hangs delays its content for a limited time only
  });
}
