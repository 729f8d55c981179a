import type { Renderer } from '../contracts/renderer.ts';

/** The cursor that says so at each latency level; at level 0 the page's own. */
const CURSORS = ['', 'progress', 'wait'];

/**
 * Lets the cursor over the page say how far the channel lags, by the level that the shell carries as `data-vitrine-latency`.
 * Answers with its undo.
 */
export function showLatency({ documentElement: shell }: Document, renderer: Renderer): () => void {
  return renderer.documents(({ document }) => {
    // The mirror leaves what is marked like that in the document.
    const sheet = Object.assign(new (document.defaultView ?? window).CSSStyleSheet(), { stays: true });
    document.adoptedStyleSheets.push(sheet);
    const show = (): void => {
      const cursor = CURSORS[Number(shell.dataset['vitrineLatency'])];
      // Matches only the elements under the pointer: a rule for all elements would restyle all of a large page. Alone, `:hover` means links
      // in quirks mode.
      sheet.replaceSync(cursor ? `:hover:not(#_){cursor:${cursor}!important}` : '');
    };
    const observer = new MutationObserver(show);
    observer.observe(shell, { attributeFilter: ['data-vitrine-latency'] });
    show(); // it may lag already
    return () => observer.disconnect();
  });
}
