import { useLayoutEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** The part of a surface that scrolls when there is more than fits. Only then has it a place among what Tab reaches. */
export function ScrollBody({ children }: { readonly children: ReactNode }): ReactElement {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const look = (): void => {
      if (current.scrollHeight > current.clientHeight + 1) current.tabIndex = 0;
      else current.removeAttribute('tabindex');
    };
    const resized = new ResizeObserver(look);
    resized.observe(current);
    for (const child of current.children) resized.observe(child);
    return () => {
      resized.disconnect();
    };
  });
  return (
    <div ref={element} className="vitrine-body">
      {children}
    </div>
  );
}
