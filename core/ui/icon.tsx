import type { ReactElement } from 'react';

/** Strokes on a field of 24 by 24. */
const ICONS = {
  back: 'M19 12H5m6-6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  cut: 'M7.5 8.5 20 17M7.5 15.5 20 7M8 6.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zm0 11a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  down: 'm6 9.5 6 6 6-6',
  download: 'M12 4v11m-5-4.5 5 5 5-5M5 20h14',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  file: 'M13.5 3.5H6v17h12V8zm0 0V8H18',
  forward: 'M5 12h14m-6-6 6 6-6 6',
  info: 'M12 11v5.5M12 7.5v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  lock: 'M6 11h12v9H6zm2.5 0V7.5a3.5 3.5 0 0 1 7 0V11',
  more: 'M12 5.5v.1M12 12v.1M12 18.5v.1',
  mute: 'M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9.5l5 5m0-5-5 5',
  next: 'm9.5 6 6 6-6 6',
  open: 'M13 4h7v7M20 4l-9 9M17 14v6H4V7h6',
  paste: 'M9 5H6v15h12V5h-3M9 3.5h6v3.5H9z',
  pause: 'M8.5 5.5v13m7-13v13',
  picture: 'M4 5h16v14H4zm0 11 5-5 4 4 2.5-2.5L20 17M15.5 9v.1',
  play: 'M8 5.5v13l10.5-6.5z',
  printer: 'M7 8.5V4h10v4.5M7 17H4V8.5h16V17h-3M7 14h10v6H7z',
  reload: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.5M20 4v5.5h-5.5',
  search: 'm15.5 15.5 5 5M17.5 10.5a7 7 0 1 1-14 0 7 7 0 0 1 14 0z',
  shield: 'M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6z',
  up: 'm6 14.5 6-6 6 6',
  upload: 'M12 15.5V4.5m-5 4.5 5-5 5 5M5 20h14',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17v.1',
} as const;

/** Name of an icon of the kit. */
export type IconName = keyof typeof ICONS;

/** Icons that point along the line of text: mirrored where that runs from right to left. */
const DIRECTED: ReadonlySet<IconName> = new Set(['back', 'forward', 'next', 'open', 'mute']);

/** A picture beside a label, or in place of one that is given otherwise: hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg
      className={DIRECTED.has(name) ? 'vitrine-icon vitrine-directed' : 'vitrine-icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={ICONS[name]} />
    </svg>
  );
}
