import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { Menu } from '../ui/menu.tsx';
import type { AskMenuProps } from './menu.ts';

/** A menu in the page frame. It ends when the window changes its size, as nothing is where it was then. */
export default function MenuPart({ label, items, at, done }: AskMenuProps): ReactElement {
  useEffect(() => {
    const leave = (): void => {
      done(undefined);
    };
    window.addEventListener('resize', leave);
    return () => {
      window.removeEventListener('resize', leave);
    };
  }, [done]);
  return <Menu label={label} items={items} at={at} done={done} />;
}
