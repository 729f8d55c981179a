/** The gallery's document: shows the surface that its address names, or a list of all. The build of the gallery adds the surfaces. */
import { Messages } from '../overlay/messages.ts';
import { Overlay } from '../overlay/overlay.ts';
import { ShellView } from '../overlay/shell-view.ts';
import type { Surface } from './gallery.ts';

const LANGUAGES = ['en', 'de', 'ar'];
const THEMES = ['as the browser prefers', 'light', 'dark'];
const WIDTHS = ['100%', '320px', '768px'];

declare global {
  interface Window {
    /** The surfaces, for the suite. */
    gallery?: readonly Pick<Surface, 'name' | 'part' | 'keys'>[];
  }
}

/** Starts the gallery in this document. */
export async function startGallery(surfaces: readonly Surface[]): Promise<void> {
  window.gallery = surfaces.map(({ name, part, keys }) => ({ name, part, ...(keys && { keys }) }));
  const query = new URLSearchParams(location.search);
  const surface = surfaces.find(({ name }) => name === query.get('surface'));
  if (surface) await showSurface(surface, query);
  else listSurfaces(surfaces);
}

async function showSurface(surface: Surface, query: URLSearchParams): Promise<void> {
  const report = (name: string, data?: unknown, options?: { readonly level?: string }): void => {
    if (options?.level !== undefined) console.error(name, data);
  };
  const texts = new Messages([query.get('lang') ?? 'en'], report);
  await texts.loadCore();
  const theme = query.get('theme');
  const paint = ({ documentElement }: Document): void => {
    if (theme === 'light' || theme === 'dark') documentElement.style.colorScheme = theme;
  };
  paint(document);
  document.documentElement.lang = texts.language;
  document.documentElement.dir = texts.direction;
  // The page frame is added when the first dialog is asked.
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLIFrameElement)
        node.addEventListener('load', () => {
          if (node.contentDocument) paint(node.contentDocument);
        });
  }).observe(document.body, { childList: true });
  const overlay = new Overlay({ document, texts, report, origin: location.origin, hash: 'gallery', apiVersion: 1 });
  const shell = new ShellView(document, texts, report);
  await surface.show({ slots: overlay.slotsOf('gallery'), texts, shell, load: (catalogues) => texts.load(catalogues) });
}

/** A field with one choice of a few. */
function chooser(label: string, values: readonly string[], onChange: () => void): HTMLSelectElement {
  const select = document.createElement('select');
  select.ariaLabel = label;
  for (const value of values) select.append(new Option(value));
  select.addEventListener('change', onChange);
  return select;
}

function listSurfaces(surfaces: readonly Surface[]): void {
  const frame = document.createElement('iframe');
  frame.title = 'Surface';
  const update = (): void => {
    const theme = themes.value;
    const query = new URLSearchParams({ surface: names.value, lang: languages.value, theme });
    frame.src = `?${query}`;
    frame.style.inlineSize = widths.value;
  };
  const names = chooser(
    'Surface',
    surfaces.map(({ name }) => name),
    update,
  );
  names.size = Math.min(surfaces.length, 40);
  const languages = chooser('Language', LANGUAGES, update);
  const themes = chooser('Theme', THEMES, update);
  const widths = chooser('Width', WIDTHS, update);
  const side = document.createElement('nav');
  const title = document.createElement('h1');
  title.textContent = 'Gallery';
  side.append(title, languages, themes, widths, names);
  document.body.className = 'gallery-list';
  document.body.replaceChildren(side, frame);
  names.selectedIndex = 0;
  update();
}
