/** All that a person sees of a tab. */
export interface Seen {
  readonly state: string | undefined;
  /** Address of the site that the address bar shows. */
  readonly address: string;
  readonly title: string;
  /** Address of the icon: `data:,` for none. */
  readonly icon: string | undefined;
  /** Painted in the upper middle, 100 px from the top: the heading or other content of the page, or the text of an error whose heading is painted. */
  readonly page?: string | undefined;
  readonly error?: string | undefined;
}

/** Reads what is painted, not what the tab says of itself. Runs in the shell. */
export function look(): Seen {
  const { documentElement, title } = document;
  const seen = {
    state: documentElement.dataset['vitrineState'],
    address: location.pathname.slice(1) + location.search,
    title,
    icon: document.head.querySelector('link[rel~="icon"]')?.getAttribute('href') ?? undefined,
  };
  const top = document.elementFromPoint(innerWidth / 2, 100);
  if (top instanceof HTMLIFrameElement && top.dataset['vitrineFrame'] === 'main') {
    const inner = top.contentDocument?.elementFromPoint(innerWidth / 2, 100);
    return { ...seen, page: (inner?.closest('h1') ?? inner)?.textContent.trim() };
  }
  const alert = top?.closest('[role=alert]') ?? (top?.shadowRoot ?? top)?.querySelector('[role=alert]');
  const box = (alert?.querySelector('h1') ?? alert)?.getBoundingClientRect() ?? new DOMRect();
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  const painted = document.elementFromPoint(...middle);
  const inner = painted?.shadowRoot?.elementFromPoint(...middle) ?? painted;
  return {
    ...seen,
    error: alert && inner && alert.contains(inner) ? alert.textContent : `nothing but ${top?.localName}`,
  };
}

/** Width of the tab's icon, in px, by which pictures are told apart: 0 for none, -1 for one that is no picture. Runs in the shell. */
export async function iconWidth(): Promise<number> {
  const icon = document.head.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href ?? 'data:,';
  if (icon === 'data:,') return 0;
  const picture = new Image();
  picture.src = icon;
  return picture.decode().then(
    () => picture.naturalWidth,
    () => -1,
  );
}
