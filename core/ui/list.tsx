import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

interface ListProps {
  readonly label: string;
  /** `Row`s. */
  readonly children: ReactNode;
}

/** Rows of one kind. */
export function List({ label, children }: ListProps): ReactElement {
  return (
    <ul className="vitrine-list" aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  readonly icon?: IconName | undefined;
  readonly title: string;
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
export function Row({ icon, title, detail, children, actions, facts }: RowProps): ReactElement {
  const id = useId();
  return (
    <li className="vitrine-row" aria-labelledby={id} {...facts}>
      {icon && <Icon name={icon} />}
      <div>
        <div id={id} className="vitrine-row-title" title={title}>
          <bdi>{title}</bdi>
        </div>
        {detail !== undefined && <div className="vitrine-about">{detail}</div>}
        {children}
      </div>
      {actions !== undefined && <div className="vitrine-row-actions">{actions}</div>}
    </li>
  );
}
