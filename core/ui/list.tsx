import { useId, useLayoutEffect, useRef } from 'react';
import type { FocusEvent, ReactElement, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

interface ListProps {
  readonly label: string;
  /** `Row`s. */
  readonly children: ReactNode;
}

/** The control of a list that has the focus, or had it last. */
interface Focused {
  readonly control: Element;
  /** Place of its row. */
  readonly at: number;
}

/**
 * Rows of one kind. Where the control with the focus goes, alone or with its row, the row in its place takes the focus: not a button of it, which a
 * key that is still held down would press.
 */
export function List({ label, children }: ListProps): ReactElement {
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<Focused>(undefined); // React reports no loss of the focus that its own changes cause
  const note = (control: Element): void => {
    const at = [...(list.current?.children ?? [])].findIndex((row) => row.contains(control));
    focused.current = { control, at };
  };
  // After each change: rows come and go.
  useLayoutEffect(() => {
    if (!focused.current) return;
    const { control, at } = focused.current;
    if (control.isConnected) note(control);
    else {
      focused.current = undefined;
      const rows = list.current?.querySelectorAll<HTMLElement>(':scope > li') ?? [];
      rows[Math.min(at, rows.length - 1)]?.focus();
    }
  });
  return (
    <ul
      ref={list}
      className="vitrine-list"
      aria-label={label}
      onFocus={({ target }: FocusEvent<HTMLUListElement>) => note(target)}
      onBlur={() => {
        focused.current = undefined;
      }}
    >
      {children}
    </ul>
  );
}

interface RowProps {
  readonly icon?: IconName | undefined;
  readonly title: string;
  /** Shown with the title by pointing at it. */
  readonly hint?: string | undefined;
  /** A second line: size, state, reason. */
  readonly detail?: ReactNode;
  /** Below it, such as a `Progress`. */
  readonly children?: ReactNode;
  /** Buttons at its end. */
  readonly actions?: ReactNode;
  /** Facts for tests and tools. */
  readonly facts?: Readonly<Record<`data-${string}`, string>>;
}

/** A row of a list. The title may be of a page: it is cut at the end of its line, and the whole of it shown by pointing at it. */
export function Row({ icon, title, hint, detail, children, actions, facts }: RowProps): ReactElement {
  const id = useId();
  return (
    <li className="vitrine-row" aria-labelledby={id} tabIndex={-1} {...facts}>
      {icon && <Icon name={icon} />}
      <div>
        <div id={id} className="vitrine-row-title" title={hint ? `${title}\n${hint}` : title} dir="auto">
          {title}
        </div>
        {detail !== undefined && <div className="vitrine-about">{detail}</div>}
        {children}
      </div>
      {actions !== undefined && <div className="vitrine-row-actions">{actions}</div>}
    </li>
  );
}
