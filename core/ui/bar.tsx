import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode, RefObject } from 'react';
import { IconButton } from './button.tsx';

interface BarProps {
  /** Its name, as of a landmark. */
  readonly label: string;
  readonly role?: 'search' | 'toolbar' | 'region' | undefined;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Name of the button that closes it. */
  readonly closeLabel: string;
}

/** Gives the focus back to where it was before the part appeared, or to the page, if the part has it when it goes. */
function useFocusReturn(part: RefObject<HTMLElement | null>): void {
  const [before] = useState(() => document.activeElement); // a part that takes the focus does so before any effect runs
  useLayoutEffect(() => {
    const { current } = part;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
      const view = document.querySelector<HTMLElement>('iframe[data-vitrine-frame="main"]');
      (isThere ? before : view)?.focus();
    };
  }, [part, before]);
}

/** Escape closes a part, unless something in it has made use of the key. */
const onEscape =
  (close: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    close();
  };

/** A line of controls beside the page, such as that of find. It does not hold the focus, and gives it back. */
export function Bar({ label, role = 'region', children, onClose, closeLabel }: BarProps): ReactElement {
  const element = useRef<HTMLDivElement>(null);
  useFocusReturn(element);
  return (
    <div ref={element} className="vitrine-bar" role={role} aria-label={label} onKeyDown={onEscape(onClose)}>
      {children}
      <IconButton icon="close" label={closeLabel} onPress={onClose} />
    </div>
  );
}

interface PanelProps extends Omit<BarProps, 'role'> {
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
}

/** A part with a title over a corner of the page, such as the list of transfers. It does not hold the focus, and gives it back. */
export function Panel({ label, children, actions, onClose, closeLabel }: PanelProps): ReactElement {
  const element = useRef<HTMLElement>(null);
  const id = useId();
  useFocusReturn(element);
  return (
    <section ref={element} className="vitrine-panel" aria-labelledby={id} onKeyDown={onEscape(onClose)}>
      <header>
        <h2 id={id}>{label}</h2>
        {actions}
        <IconButton icon="close" label={closeLabel} onPress={onClose} />
      </header>
      <div className="vitrine-panel-body">{children}</div>
    </section>
  );
}
